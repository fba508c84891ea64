"""What a terminal shows in place of lines: tables and colours."""
