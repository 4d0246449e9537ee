"""Published methods that no other method needs: a module for each method, and the tools that they share."""
