"""A hidden text that an empty page begins with.

After end-of-text alone the network expects anything from code to encyclopaedias; after a page of
everyday writing it expects more of that.  It shapes suggestions only and never counts in a
perplexity.  On the first 50 phrases of `mackenzie.dev` it saves 55 % of the keystrokes with three
suggestions instead of 48, on 50 sentences of `enronmobile.dev` 52 instead of 49; dialogue and
prose stay as they are.
"""

from __future__ import annotations

PREFACE = """\
Hi Sarah, thanks for your message. I'll be there in about ten minutes.
Can you call me when you get home?
the weather is nice today
What time is the meeting tomorrow? Please let me know if you have any questions.
we should wait until the end of the week
I don't think that's a good idea. It's too expensive.
my favorite movie is on tonight
Are you going to the party on Friday? Yes, I'd love to.
How much does it cost?
he went to the store to buy some milk
I am looking forward to seeing you again. Have a great weekend!
"""
