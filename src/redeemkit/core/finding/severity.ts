/** How much a finding weighs: `danger` must stop a signature, `warning` deserves a look, `info` is a fact. */
export type Severity = 'info' | 'warning' | 'danger'
