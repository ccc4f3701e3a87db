import { expect, test } from 'vitest'
import { prepareRedeem } from '../prepareRedeem.ts'
import { fakeService, now, nowSeconds, pinned, token, wallet } from '../redeem.fixture.ts'
import { readPurchaseTerms } from './readPurchaseTerms.ts'
import { readStoredPermit } from './readReady.ts'

const permitCredits = '0x12'

async function kept(usdcCents: number) {
  const { client } = fakeService({ client: { now } })
  const request = {
    subtotal: { cents: 1000 },
    transactionData: token,
    ...(usdcCents > 0 && { usdcAmount: { cents: usdcCents } }),
  }
  const prepared = await prepareRedeem(client, { ...request, wallet, pinned })
  const { salt, orderKey } = prepared
  return { prepared, terms: { ...readPurchaseTerms(client, { ...request, wallet, pinned }), salt, orderKey } }
}

test('a signed permit is accepted if there is time for the second prompt', async () => {
  const { prepared, terms } = await kept(400)
  const { validBefore } = prepared.answer
  const at = (seconds: number) =>
    readStoredPermit({ prepared, permitCredits }, terms, () => (Number(validBefore) - seconds) * 1000)
  expect([at(91)?.permitCredits, at(90), at(-1)]).toEqual([permitCredits, undefined, undefined])
})

test('the permit of a redeem from credits is accepted too: the network may have failed after its prompt', async () => {
  const { prepared, terms } = await kept(0)
  const found = readStoredPermit({ prepared, permitCredits }, terms, () => nowSeconds * 1000)
  expect(found?.permitCredits).toBe(permitCredits)
})

test.each([undefined, '', '0x', '0x1', 'permit', 7])('%j is no permit', async (given) => {
  const { prepared, terms } = await kept(400)
  const permit = { prepared, permitCredits: given as `0x${string}` } // as a storage may have it
  expect(readStoredPermit(permit, terms, now)).toBeUndefined()
})
