import { disclosedIntentOf, formatInspection, inspect } from 'redeemkit/evm'

/** Shows a signing request in a wallet: its kind, facts, problems and the available actions. */
export function explain(
  request: { method: string; params: readonly unknown[] },
  known: Omit<inspect.Context, 'intent'>, // page, account, chain, and the shops that the wallet or its user trusts
) {
  const inspection = inspect(request, { ...known, intent: disclosedIntentOf(request) })
  const { title, lines, findings } = formatInspection(inspection)
  const actions = {
    ok: ['sign', 'decline'], // everything was compared and matches
    caution: ['decline', 'sign anyway'], // something could not be checked: the user decides
    refuse: ['decline'], // no button to sign
  } as const
  return {
    title,
    lines: lines.map(({ label, value }) => `${label}: ${value}`),
    findings: findings.map(({ severity, message }) => `${severity}: ${message}`),
    actions: actions[inspection.verdict],
  }
}
