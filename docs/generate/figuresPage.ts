import figures from '../figures.json' with { type: 'json' }

type Row = { figure: string; value: number; unit: string; noise?: number; goal?: string }

/** The page of the figures that `npm run bench` measured. */
export function figuresPage(): string {
  const { date, machine, version } = figures
  const rows: readonly Row[] = figures.rows
  const lines = rows.map(({ figure, value, unit, noise, goal = '' }) => {
    const text = noise === undefined ? `${value} ${unit}` : `${value} ${unit} ± ${noise} %`
    return `| ${figure} | ${text.trim()} | ${goal} |`
  })
  return `# Figures

Measured on ${date} by \`npm run bench\`, with version ${version}, on ${machine}. "± 5 %" says that half of the turns lie within 5 % of the value. A goal that is not met
stays in the table.

- × compares two sides that were measured in turns in one run: the speed for \`inspection\` and \`redeems\` (0.5 × is half as fast), the time for \`fixture\` and
  \`simulation\`, and the gas, against a bare transfer of the issuer's own USDC, for \`gas\` (2 × is twice as much).
- \`redeems\`: Anvil alone is given signed transactions and checks and stores nothing. The service, its Anvil and its clients share the 2,000 ms of CPU that two
  cores have in a second, so their CPU for a redeem bounds the rate.
- Sizes are of minified and gzipped files.
- \`shop\` compares pages that pay 10.00 in Chromium: with the hooks, with the functions, by hand with viem and without any check, with x402's fetch, and with
  Base's pay button, which is weighed only, because its wallet is on the internet.

Repeat the measurements with \`npm run bench\`, or one of them with \`npm run bench -- --only NAME\`, such as \`shop\`.

| Figure | Value | Goal |
|---|---|---|
${lines.join('\n')}
`
}
