"""Which claims assert nothing about the cited work, on sentences written for this by hand.

Half of them are real findings, many in words that methods and background use too: calling one of these *not
a finding* would keep it from being checked.
"""

from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.linking.scoring import Count, Item, Names
from veriscite.linking.findings import not_a_finding

NOT_FINDINGS: dict[str, tuple[str, ...]] = {
    "method": (
        "RNA was extracted as described previously.",
        "Soil pH was measured following the protocol of the cited work.",
        "We used a mixed model with random slopes.",
        "Depression was assessed with the Beck inventory.",
        "Risk of bias was rated using the Cochrane tool.",
        "All networks were trained with the Adam optimizer.",
        "We adopt the sampling design of Smith et al.",
        "Sample size was calculated according to the formula of Lehr.",
        "Peptides were synthesized as reported.",
        "Stages were classified by the criteria of the WHO.",
        "Our implementation follows the transformer architecture.",
        "We apply batch normalisation after each layer.",
        "Cells were cultured as previously described.",
        "The Hamilton scale was used to rate symptoms.",
        "Reviews were conducted in accordance with the PRISMA statement.",
        "We therefore employed principal component analysis.",
    ),
    "data": (
        "Climate data were obtained from the WorldClim archive.",
        "We used data from the UK Biobank.",
        "Sequences were downloaded from GenBank.",
        "Crystal structures were taken from the Protein Data Bank.",
        "We evaluate on the SQuAD dataset.",
        "The strains were kindly provided by Dr Olsen.",
        "Census records were drawn from the national archive.",
        "We trained on images of the ImageNet corpus.",
        "Plasmids were a gift from the Holm laboratory; data are available from the authors.",
        "The questions were taken from the European Social Survey.",
    ),
    "software": (
        "Statistics were performed using SPSS.",
        "We fitted the models in R.",
        "Images were processed with ImageJ.",
        "Reads were aligned using the BWA software.",
        "All analyses were carried out with the lme4 package.",
        "Trees were constructed in the program MrBayes using the BEAGLE library.",
        "We implemented the network in PyTorch.",
        "Figures were made with ggplot2.",
    ),
    "pointer": (
        "For a recent review, see the cited work.",
        "For details, see the cited work.",
        "See Smith et al. for an overview.",
        "The algorithm is described in detail elsewhere.",
        "These mechanisms have been reviewed elsewhere.",
        "The interested reader is referred to the cited work.",
        "A full list can be found in the cited work.",
        "The study design has been described previously.",
        "Its history has been reviewed in detail.",
        "We refer the reader to Holm.",
    ),
    "background": (
        "The topic has been widely studied.",
        "Sleep has been studied extensively in rodents.",
        "Many authors have investigated this question.",
        "Microplastics have received much attention.",
        "There is a growing body of literature on remote work.",
        "This question has long been debated.",
        "Several studies have examined the link between diet and mood.",
        "Graph colouring has attracted considerable interest.",
        "The ethics of triage have been discussed at length.",
        "Numerous works address domain adaptation, and several papers have explored it for speech.",
    ),
    "definition": (
        "Sarcopenia is defined as the loss of muscle mass with age.",
        "Obesity was defined as a body mass index of 30 or above.",
        "We define resilience as the ability to recover.",
        "This approach is often referred to as transfer learning.",
        "Such graphs are termed expanders.",
        "By definition, a prime has two divisors.",
    ),
}

FINDINGS: tuple[str, ...] = (
    "Vitamin D reduces the risk of falls.",
    "Sleep has been shown to improve memory in rodents.",
    "Smith et al. found that silt settles fast.",
    "Aspirin use was associated with fewer strokes.",
    "Silt settles fast in calm lakes.",
    "The drug was well tolerated.",
    "Statins are used to lower cholesterol.",
    "Metformin is the most widely used drug for type 2 diabetes.",
    "CRISPR has been used to correct the mutation in mice.",
    "We used a lower dose because toxicity had been reported at 10 mg.",
    "Our results agree with those of Smith et al.",
    "In contrast to Smith et al., we found no effect.",
    "The gene is expressed in the liver.",
    "PINK1 phosphorylates ubiquitin on serine 65.",
    "The inflammasome has been implicated in renal cancer.",
    "This pathway has been reported to regulate apoptosis in yeast.",
    "The effect has been observed in mice and in humans.",
    "Several studies have shown that coffee protects the liver.",
    "Many authors have reported higher yields under no-till.",
    "The model was evaluated on three corpora and outperformed the baseline.",
    "Transformers trained with more data are better.",
    "The scale was validated in adults and had good reliability.",
    "Depression is a leading cause of disability.",
    "Sarcopenia is a common condition in older adults.",
    "About 40% of patients relapse within a year.",
    "Mitochondria are defined by their double membrane, which is impaired in ageing.",
    "Both vaccines require two doses.",
    "NEAT1 is upregulated in lung cancer.",
    "The vaccine elicited neutralizing antibodies in all participants.",
    "Loss of BRCA2 leads to genomic instability.",
    "The protein was identified as a kinase.",
    "The virus was isolated from bats in Yunnan.",
    "Remdesivir was approved for emergency use.",
    "The enzyme was purified and crystallised, revealing two domains.",
    "Wolves were reintroduced to Yellowstone in 1995.",
    "Lead is taken up by moss.",
    "The earthquake was caused by injection of waste water.",
    "Attention has been linked to gamma oscillations.",
    "Growing interest in opera was documented in rural towns, where attendance doubled.",
    "Batch normalisation speeds up training.",
    "Adam converges faster than SGD.",
    "Poverty has been described as the main driver of migration.",
    "Gold nanoparticles were used to deliver the drug to tumours, with no toxicity.",
    "The trial was stopped early for harm.",
    "Screening was recommended for all adults over 50.",
    "The genome was sequenced and contains 20,000 genes.",
    "Beavers have been considered ecosystem engineers.",
    "The fossils were found in Kenya.",
    "Patients were treated with rituximab and entered remission.",
    "Bilingual children were tested and switched tasks with ease.",
    "The samples were obtained from patients with lupus and contained autoantibodies.",
    "Reading was delayed in a third of the children.",
    "This approach was used by Smith et al. to cut costs by half.",
    "Peer review has been criticised as slow and biased.",
    "Heat waves have been studied as drivers of mortality.",
    "The receptor has been characterised as a trimer.",
    "The theory has been described in the literature as incomplete.",
    "Insulin was discovered in 1921.",
    "Caffeine is metabolised by CYP1A2.",
    "Silt has been presented as a sink of carbon.",
    "The bones were dated by radiocarbon to 4000 BC.",
    "It was measured by Smith et al. to be 3 kg.",
)


def run(data: Path, names: Names) -> Iterator[Item]:
    """Score each sentence; there is no held half, since the rules were written beside them."""
    rows = [(text, kind) for kind, texts in NOT_FINDINGS.items() for text in texts]
    for text, kind in rows + [(text, "") for text in FINDINGS]:
        told = not_a_finding(text)
        count = Count(int(bool(told and kind)), int(told is not None), int(bool(kind)))
        groups = ("all", kind) if kind else ("all",)
        misses = (
            [] if bool(told) == bool(kind) else [f"{told.kind if told else 'finding'} for {kind}: {text}"]
        )
        yield Item(f"sentence {text}", groups, {"not_findings": count}, misses)
