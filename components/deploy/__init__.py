"""The place Deploy: plan, comparison, restore, check, resources."""
