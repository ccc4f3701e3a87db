import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('npm run demo succeeds and shows every transaction type, payment and chain', () => {
  // Throws unless the exit code is 0.
  const output = execFileSync('npm', ['run', 'demo'], { cwd: root, encoding: 'utf8', stdio: 'pipe' })
  expect(output).toContain('All checks passed')
  for (const shape of ['token', 'normal', 'safeMint', 'returned', 'knownTokenId', 'decent'])
    for (const payment of ['credits', 'credits + USDC V1', 'credits + USDC V2'])
      expect(output).toMatch(new RegExp(`│ ${shape} +│ ${payment.replaceAll('+', '\\+')} +│`))
  for (const title of [
    'Rejected attacks',
    'Sign-in: login(client, { adapter }) on every chain',
    'Solana: rejected attacks',
    'Stellar: rejected attacks',
    'Tempo: rejected attacks',
  ])
    expect(output).toContain(`\n${title}\n`)
})
