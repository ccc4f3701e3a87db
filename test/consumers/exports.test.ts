import { expect, test } from 'vitest'

/** Snapshot of each entry point's names. A name that is added or removed changes it, and needs a changeset. */
const entryPoints = {
  redeemkit: () => import('redeemkit'),
  'redeemkit/evm': () => import('redeemkit/evm'),
  'redeemkit/tempo': () => import('redeemkit/tempo'),
  'redeemkit/solana': () => import('redeemkit/solana'),
  'redeemkit/stellar': () => import('redeemkit/stellar'),
  'redeemkit/languages': () => import('redeemkit/languages'),
  'redeemkit/schema': () => import('redeemkit/schema'),
  'redeemkit/mock': () => import('redeemkit/mock'),
  'redeemkit/merchant': () => import('redeemkit/merchant'),
  'redeemkit/wagmi': () => import('redeemkit/wagmi'),
  'redeemkit/react': () => import('redeemkit/react'),
  '@redeemkit/sandbox': () => import('@redeemkit/sandbox'),
  '@redeemkit/sandbox/testing': () => import('@redeemkit/sandbox/testing'),
  '@redeemkit/sandbox/testing/vitest': () => import('@redeemkit/sandbox/testing/vitest'),
  '@redeemkit/sandbox/testing/wallet': () => import('@redeemkit/sandbox/testing/wallet'),
}

test('the entry points show these names', async () => {
  const lists = await Promise.all(
    Object.entries(entryPoints).map(
      async ([entryPoint, load]) =>
        `# ${entryPoint}\n${Object.keys(await load())
          .sort()
          .join('\n')}\n`,
    ),
  )
  await expect(lists.join('\n')).toMatchFileSnapshot('./exports.txt')
})
