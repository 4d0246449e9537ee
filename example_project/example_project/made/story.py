"""What the made newspaper writes about, and in which words."""

STORIES = {
    "Council": (
        ("swing bridge", "will close for nine weeks from May"),
        ("fish market hall", "gets a second storey"),
        ("allotment wall", "is rebuilt in dry stone"),
        ("town clock", "goes to auction without its bells"),
    ),
    "Harbour": (
        ("night ferry", "loses its winter timetable"),
        ("ice plant", "runs on tidal power for a month"),
        ("pilot boat", "is sold to the island parish"),
        ("seal hospital", "asks for a deeper pool"),
    ),
    "Schools": (
        ("music school", "moves into the empty savings bank"),
        ("breakfast kitchen", "feeds twice as many children"),
        ("reading bus", "returns with a new engine"),
        ("chemistry block", "passes its third inspection"),
    ),
    "Sport": (
        ("rowing club", "builds a boathouse on stilts"),
        ("cricket ground", "drains in a single afternoon"),
        ("skate park", "stays open until midnight"),
        ("swimming bath", "is heated by the bakery next door"),
    ),
    "Culture": (
        ("puppet theatre", "finds a home above the chandlery"),
        ("pipe organ", "sounds again after a silence"),
        ("film club", "shows reels from a biscuit tin"),
        ("lantern parade", "is planned along the canal"),
    ),
    "Transport": (
        ("bus depot", "is roofed with solar panels"),
        ("signal box", "opens as a tea room"),
        ("tram loop", "is dug up after ninety years"),
        ("cycle tunnel", "is lit from end to end"),
    ),
}  # fmt: skip

STANDFIRSTS = (
    "Those who know the {subject} best say that {few} months of talks at {place} came first.",
    "{person} explains what the {subject} means for {many} households between {place} and the coast.",
    "A vote in {month} settled it; {some} letters about the {subject} had reached our newsroom before.",
    "How {few} neighbours from {place} changed what becomes of the {subject}.",
    "The bill of {money} is paid, but questions about the {subject} remain at {place}.",
)
CAPTIONS = (
    "The {subject} as {some} visitors saw it on {day}, seen from {place}.",
    "{person} with a model of the {subject}, photographed near {place} in {month}.",
    "A plan of the {subject} from {year}, found in a drawer at {place}.",
)
OPENINGS = (
    "It ends a dispute that has occupied {place} since {month}, when {some} people signed a petition.",
    "Few had expected it after {month}, when a first attempt failed by {few} votes.",
    "The news reached {place} by telephone, {few} hours before it was to be announced.",
    "Nobody in the room objected, though {some} chairs had been put out for those who might.",
    "It is the first change of its kind since {year}, and was agreed within {few} minutes.",
)
DETAILS = (
    "Work begins at {place}, where the ground was surveyed in {month} and found to be firmer than maps suggest.",
    "A report by {person} lists {some} defects, most of which date from repairs made in {year}.",
    "Until then those who depend on the {subject} are asked to go around by {place}.",
    "Neighbours had been told in {month}, by a letter that {person} calls clear and {person} calls late.",
    "An older plan, drawn in {year}, would have cost less and led through {place}.",
    "Volunteers from {place} cleared {some} sacks of silt and rubble over a weekend in {month}.",
    "The {subject} has been insured since {year} with a firm that no longer trades under that name.",
    "An engineer from {place} measured the noise at night and found it quieter than the road outside.",
    "Minutes of {few} meetings were published on {day}, with names of bidders blacked out.",
    "Children from {place} drew the {subject} for a competition that {person} judged.",
    "Spare parts come from a workshop in {place}, which made the last of them in {year}.",
    "A second opinion was asked of {person}, who had worked on something similar near {place}.",
    "The keys are kept at {place}, and {few} people have signed for them this year.",
    "Rain delayed the first inspection; a second, in {month}, took no more than an afternoon.",
    "The archive at {place} holds {some} photographs of the {subject}, none of them later than {year}.",
    "Traders at {place} were promised a path {few} feet wide, and got one.",
)
FIGURES = (
    "The budget is {money}, of which {money} comes from a fund that closes in {month}.",
    "Some {many} people a year use it, against {many} in {year}.",
    "Costs rose by {some} per cent within {few} years, to {money}.",
    "Of {many} forms that were sent out, {some} in a hundred came back.",
    "An entrance fee of a few pence would bring {money} by {month}, according to the treasurer.",
    "In {year} the same work was done for {money}, timber included.",
    "Between {place} and {place} alone, {many} households are affected.",
)
QUOTES = (
    "“We had {few} days to decide and did it on the first of them,” said {person}, who keeps the books at {place}.",
    "“My grandmother remembered the {subject} from {year}, and she would laugh at us,” said {person}.",
    "“Nobody asked for {money}, we asked for a ladder and some paint,” {person} told the Courier.",
    "“If it rains in {month} we start again, if it does not we are done by {day},” said {person}.",
    "“I have walked past it for {some} years and never looked up,” said {person} of {place}.",
    "“It is a good plan, and it was a good plan in {year},” said {person}, a retired surveyor.",
    "“People at {place} will notice {few} changes, and they will like most of them,” said {person}.",
    "“You can hear it from {place} when the wind is right,” said {person}, “and that is the point.”",
    "“Ask me again in {month},” said {person}. “Today I am simply glad about the {subject}.”",
)
OUTLOOKS = (
    "A review is due in {month}, when {person} reports to the committee at {place}.",
    "Those who want to see the {subject} can do so on {day} mornings, from {place}.",
    "What happens after {month} depends on {money} that has yet to be found.",
    "The next public meeting is at {place} on a {day} in {month}; {some} seats are free.",
    "An appeal can be lodged until {month}; {person} does not expect one.",
    "A plaque will name the {some} people who gave to it, in the order of their gifts.",
)
REMARKS = (
    "I wrote to {person} about the {subject} in {month} and never had an answer.",
    "About time too. The {subject} was a disgrace when we moved to {place}.",
    "Can somebody explain why this costs {money} when a coat of paint would do?",
    "Lovely picture! My uncle worked near {place} until {year}.",
    "Same story every {month}. I will believe in the {subject} when I see it.",
    "Well done to everyone at {place}, it cannot have been easy.",
    "You forgot to mention {person}, without whom none of this would have happened.",
)
