"""What is put into a vault: folders, views, the settings note."""
