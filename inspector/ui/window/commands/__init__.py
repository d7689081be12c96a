"""The commands of the window: each says its title, keys, menus, when it is possible, and what
it does."""
