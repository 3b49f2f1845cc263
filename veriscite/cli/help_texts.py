"""Help texts that teach by example. A backspace character keeps the line breaks of its paragraph."""

PROGRAM = (
    "Does the cited paper say what this manuscript says it says?\n\n"
    "VeriScite ties each claim of a manuscript to the reference it cites, fetches the cited abstract, lets "
    "two independent verifiers judge the claim and an agent settle their disagreements, and shows which "
    "words decided. Where there is nothing to check against, it says so and gives no verdict.\n\n"
    "\b\n"
    "First steps:\n"
    "  veriscite demo                        see it work; no key, no network\n"
    "  veriscite doctor                      what is active, what is missing\n"
    "  veriscite read paper.pdf              what is read of a manuscript\n"
    "  veriscite check paper.md -r refs.bib  check a manuscript\n"
    "  veriscite refs refs.bib               check the references themselves\n"
)

CHECK = (
    "Check a manuscript's citations and write a report.\n\n"
    "\b\n"
    "Examples:\n"
    "  veriscite check paper.md --references refs.bib\n"
    "  veriscite check paper.pdf --output out --format html,json\n"
    "  veriscite check body.txt -r refs.txt -l my-library.bib --offline\n"
    "  pandoc paper.docx -t markdown | veriscite check - -r refs.bib\n"
    "  veriscite check paper.md -r refs.bib --source crossref --source europe-pmc\n"
    "  veriscite check paper.md --fail-on contradict,retracted --quiet\n"
    "  veriscite check paper.md --json-events | jq .type\n"
)

EXIT_CODES = (
    "Exit codes: 0 finished; 1 finished with something that --fail-on names; 2 the input "
    "cannot be used; 3 the run could not go on; 130 stopped by Ctrl-C, with a report "
    "of what was done by then."
)

READ = (
    "Show what is read of a manuscript, without checking it: its title and sections, its markers and the "
    "entries they are tied to, its references field by field, and what was left out and why.\n\n"
    "Loads no model and asks nobody: the quickest way to see why a citation is missing from a report.\n\n"
    "\b\n"
    "Examples:\n"
    "  veriscite read paper.pdf\n"
    "  veriscite read body.txt --references refs.bib\n"
    "  veriscite read paper.md --json | jq .pairing.skipped\n"
)

READ_EXIT_CODES = "Exit codes: 0 read; 2 the input cannot be used."

REFS = (
    "Check the references themselves: whether sources know them, whether title, authors, year, venue and DOI "
    "are right, whether they are retracted or corrected, listed twice, or published since as more than a "
    "preprint. No claim is judged, and no model is loaded.\n\n"
    "\b\n"
    "Examples:\n"
    "  veriscite refs refs.bib\n"
    "  veriscite refs paper.pdf --output out --format md\n"
    "  veriscite refs refs.bib --fail-on retracted,invented,mismatch --quiet\n"
    "  veriscite refs refs.bib --fix refs-corrected.bib\n"
)

REFS_EXIT_CODES = (
    "Exit codes: 0 finished; 1 finished with something that --fail-on names; 2 the input cannot be used; "
    "3 the run could not go on; 130 stopped by Ctrl-C, with a report of what was done by then."
)

DEMO = (
    "Check a short manuscript that ships with VeriScite: no key, no network.\n\n"
    "Errors were planted in it on purpose: a reversed direction, a wrong number, an overclaim, an invented "
    "reference and more.\n\n"
    "\b\n"
    "Examples:\n"
    "  veriscite demo\n"
    "  veriscite demo --example author-year --output out\n"
)

DOCTOR = (
    "Tell which models, verifiers and sources are active and why, and what is missing.\n\n"
    "Exits with 1 when something is missing that a check needs. Keys are never printed.\n\n"
    "\b\n"
    "Examples:\n"
    "  veriscite doctor\n"
    "  veriscite doctor --json\n"
)

MODELS = (
    "Which models may be chosen, what their cards say, whether they work; fetch one from the hub.\n\n"
    "\b\n"
    "Examples:\n"
    "  veriscite models list\n"
    "  veriscite models check science\n"
    "  veriscite models pull MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli\n"
)

MODELS_LIST = "List the models on this machine, and which one the settings choose. Asks nobody."

MODELS_SHOW = "Show the card of a shipped adapter, a folder, or a checkpoint in the hub cache. Asks nobody."

MODELS_CHECK = (
    "Tell whether a model can be used, without checking a paper: its files, its labels, its tokenizer, then "
    "loading it and scoring one pair.\n\n"
    "Exits with 0 if it can be used and with 2 if not. A hub id that is not on this machine is judged by "
    "what the hub lists; its weights are not fetched.\n\n"
    "\b\n"
    "Examples:\n"
    "  veriscite models check science\n"
    "  veriscite models check ./my-checkpoint --quick\n"
    "  veriscite models check OWNER/NAME --revision COMMIT --json\n"
)

MODELS_PULL = (
    "Fetch a checkpoint of the hub: config, tokenizer, card and safetensors, nothing else.\n\n"
    "Its config and labels are checked first: what cannot be used costs nothing. Prints the commit to pin. "
    "Exits with 2 if it cannot be used.\n\n"
    "\b\n"
    "Examples:\n"
    "  veriscite models pull MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli\n"
    "  veriscite models pull OWNER/NAME --revision COMMIT\n"
)

CACHE = (
    "What sources answered before, so that a second run asks only for what is missing.\n\n"
    "Evidence is kept for 90 days, other answers for 7 (VERISCITE_EVIDENCE_CACHE_DAYS and "
    "VERISCITE_EVIDENCE_NEGATIVE_CACHE_DAYS); failures never. It holds titles, abstracts and the like: no "
    "manuscript, no key, no e-mail address.\n\n"
    "\b\n"
    "Examples:\n"
    "  veriscite cache show\n"
    "  veriscite cache export answers.jsonl    on a machine with a network\n"
    "  veriscite cache import answers.jsonl    on one without: a colleague's, a CI job's\n"
    "  veriscite cache prune --older-than 30\n"
)

CACHE_SHOW = "Show where the cache is and what is in it. Asks nobody."

CACHE_PRUNE = (
    "Delete answers: expired ones always, others as the options say.\n\n"
    "\b\n"
    "Examples:\n"
    "  veriscite cache prune                          expired answers only\n"
    "  veriscite cache prune --older-than 30          those older than 30 days too\n"
    "  veriscite cache prune --source-name openalex   those of one source too\n"
    "  veriscite cache prune --all\n"
)

CACHE_EXPORT = (
    "Write all answers that still hold to a file, one JSON object a line.\n\n"
    "A file that is there already is kept unless --force is given.\n\n"
    "\b\n"
    "Example:\n"
    "  veriscite cache export answers.jsonl\n"
)

CACHE_IMPORT = (
    "Take answers of an exported file over.\n\n"
    "Each line is checked; what is no answer is left out, and newer answers of your own stay. Verdicts will "
    "rest on the abstracts in it, so import only from someone you trust. Servers, versions and settings must "
    "be the same for an answer to be used. Exits with 2 if the file is no exported cache.\n\n"
    "\b\n"
    "Example:\n"
    "  veriscite cache import answers.jsonl && veriscite check paper.md -r refs.bib\n"
)
