"""Worker processes: bots think there, drafts are judged, and what strangers send is read."""
