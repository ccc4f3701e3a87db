import figures from '../figures.json' with { type: 'json' }

/** The page of the figures that `npm run bench` measured. */
export function figuresPage(): string {
  const { date, machine, rows } = figures
  const lines = rows.map(({ figure, value, unit }) => `| ${figure} | ${value} ${unit} |`)
  return `# Figures

Measured on ${date} by \`npm run bench\`, on ${machine}. A timing is a ratio of two sides that were measured in turns in one run. Sizes are of minified and gzipped files. Repeat them with \`npm run bench\`, or one of them with \`npm run bench -- --only NAME\`. The names \`redeems\`,
\`start\` and \`shop\` measure the service, its start and the example shop, which are not in this table.

| Figure | Value |
|---|---|
${lines.join('\n')}
`
}
