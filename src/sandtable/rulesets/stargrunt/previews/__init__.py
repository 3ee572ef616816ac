"""What an answer would bring, by the functions that play. Previews stand on the chapters, never the other way round."""

from sandtable.rulesets.stargrunt.previews import assaults, electronic_warfare, ranges, risks, shots, support

CHAPTERS = (shots.CHAPTER, assaults.CHAPTER, electronic_warfare.CHAPTER, support.CHAPTER, ranges.CHAPTER, risks.CHAPTER)
