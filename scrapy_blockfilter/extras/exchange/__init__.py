"""Write the learnt rules of a site as text: to review, to keep under version control, to use elsewhere.

``site_rules`` writes and reads everything that cleaning takes, as JSON lines.
``correction_lines`` writes and reads what a person has corrected, to be edited.
"""
