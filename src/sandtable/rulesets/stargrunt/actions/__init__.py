"""Actions: an activation and what a unit does with it, elements and regrouping."""
