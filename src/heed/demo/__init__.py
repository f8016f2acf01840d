"""The main job on the bundled sample, from dumps to a report and a site with something to label."""
