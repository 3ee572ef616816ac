"""The exact table: bases, terrain, sight, cover, paths and templates in whole thousandths."""
