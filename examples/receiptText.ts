import { formatUsd, type redeem } from 'redeemkit'

/** Formats an outcome for a terminal. */
export function receiptText(outcome: NonNullable<redeem.ReturnType['outcome']>): string {
  const lines: [string, string][] =
    outcome.intentBound === false
      ? []
      : [
          ['Paid', `${formatUsd(outcome.amount)} to ${outcome.target}`],
          [
            '  from credits',
            `${formatUsd(outcome.charged)}, of which ${formatUsd(outcome.gasFee)} is the fee for gas`,
          ],
          ...(outcome.usdcAmount === 0n
            ? []
            : [['  in USDC', formatUsd(outcome.usdcAmount)] satisfies [string, string]]),
        ]
  const tokens = outcome.movements.filter(
    ({ direction, standard }) => direction === 'in' && standard !== 'ERC-20',
  )
  return [
    ...lines,
    ...tokens.map(({ standard, tokenId }) => [`  ${standard}`, `number ${tokenId}, received`] as const),
    ['  transaction', outcome.hash] as const,
  ]
    .map(([name, value]) => `${name.padEnd(16)}${value}`)
    .join('\n')
}
