import { describe, expect, test } from 'vitest'

/** What each door shows. A name that comes or goes changes this list, and with it the changelog. */
const doors = {
  redeemkit: () => import('redeemkit'),
  'redeemkit/evm': () => import('redeemkit/evm'),
  'redeemkit/solana': () => import('redeemkit/solana'),
  'redeemkit/stellar': () => import('redeemkit/stellar'),
  'redeemkit/schema': () => import('redeemkit/schema'),
  '@redeemkit/sandbox': () => import('@redeemkit/sandbox'),
}

describe('the doors', () => {
  test.each(Object.entries(doors))('%s shows these names', async (door, open) => {
    await expect(
      `${Object.keys(await open())
        .sort()
        .join('\n')}\n`,
    ).toMatchFileSnapshot(`./exports/${door.replace('/', '-')}.txt`)
  })
})
