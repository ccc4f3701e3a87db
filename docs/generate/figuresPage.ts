import figures from '../figures.json' with { type: 'json' }

/** The page of the figures that `npm run bench` measured. */
export function figuresPage(): string {
  const { date, machine, rows } = figures
  const lines = rows.map(({ figure, value, unit }) => `| ${figure} | ${value} ${unit} |`)
  return `# Figures

Measured on ${date} by \`npm run bench\`, on ${machine}. × compares two sides that were measured in turns in one run: the speed for \`signature\` and \`inspection\` (0.5 × is half as fast), the time for \`fixture\`, and the gas, against the bare transfer, for \`gas\` (2 × is twice as much). Sizes are of minified and gzipped files. Repeat the measurements with \`npm run bench\`, or one of them with \`npm run bench -- --only NAME\`. The names \`redeems\`,
\`start\` and \`shop\` measure the service, its start and the example shop, which are not in this table.

| Figure | Value |
|---|---|
${lines.join('\n')}
`
}
