"""A gift card server written from the written specification alone (standard library only)."""
