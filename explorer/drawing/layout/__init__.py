"""Positions of cards, chains, edges and labels."""
