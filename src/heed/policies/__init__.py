"""Examples become responses: people, rules, retrievers, models and endpoints behind one interface."""
