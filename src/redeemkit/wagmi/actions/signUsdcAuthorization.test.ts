// @vitest-environment happy-dom
import type { Address } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { pinned, usdcAddress } from '../../redeem/redeem.fixture.ts'
import { chainId, stranger, wallet, world } from '../wagmi.fixture.ts'
import { signUsdcAuthorization } from './signUsdcAuthorization.ts'

const settlementContract = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const honest = { from: wallet as string, to: settlementContract as string, value: '4000000' }
/** Pays 4 of 10 dollars in USDC. */
const asked400 = {
  amount: { cents: 400 },
  payment: { subtotal: { cents: 1000 }, settlementType: 'Credits' },
} as const
let lie: Partial<typeof honest & { nonce: string }>
beforeEach(() => {
  lie = {}
})

const fields = (names: string) =>
  names.split(', ').map((pair) => ({ name: pair.split(' ')[1], type: pair.split(' ')[0] }))

async function shop(pins: { settlementOperator?: Address; paymentIntentBound?: boolean } = {}) {
  const at = world({
    kit: { pins: [{ ...pinned, chainId, settlementContract, ...pins }] },
    routes: {
      'checkout/evm/usdc-authorization': ({ body }) => {
        const { nonce = `0x${'ab'.repeat(32)}` } = body as { nonce?: string } // what the kit sent
        const validBefore = `${at.clock.ms / 1000 + 600}`
        const data = { ...honest, validAfter: '0', validBefore, nonce, ...lie }
        return {
          message: JSON.stringify({
            domain: { name: 'USDC', version: '2', chainId, verifyingContract: usdcAddress },
            types: {
              EIP712Domain: fields('string name, string version, uint256 chainId, address verifyingContract'),
              ReceiveWithAuthorization: fields(
                'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce',
              ),
            },
            primaryType: 'ReceiveWithAuthorization',
            message: data,
          }),
          messageData: data,
        }
      },
    },
  })
  await at.connect()
  return at
}

test('an account without code signs V1', async () => {
  const { config, kit } = await shop()
  const { customerUsdcTransferData } = await signUsdcAuthorization(config, { kit, ...asked400 })
  expect(customerUsdcTransferData).toMatchObject({ from: wallet, value: '4000000', v: expect.any(Number) })
})

test('an account with code signs V2', async () => {
  const { config, kit, chain } = await shop()
  chain.code = '0xef0100'
  const { customerUsdcTransferDataV2 } = await signUsdcAuthorization(config, { kit, ...asked400 })
  expect(customerUsdcTransferDataV2).toMatchObject({ from: wallet, signature: expect.stringMatching(/^0x/) })
})

test.each([
  ['to another address', { to: stranger }, 'message.to'],
  ['of more', { value: '4000001' }, 'message.value'],
  ['from another account', { from: stranger }, 'message.from'],
  ['for another payment', { nonce: `0x${'ab'.repeat(32)}` }, 'message.nonce'],
])('an authorization that moves USDC %s is rejected before the wallet is asked', async (_, change, field) => {
  const { config, kit, asked } = await shop()
  lie = change
  await expect(signUsdcAuthorization(config, { kit, ...asked400 })).rejects.toMatchObject({
    name: 'PreparedMismatchError',
    field,
  })
  expect(asked).not.toContain('wallet eth_signTypedData_v4')
})

test('without a pinned contract, no request is made', async () => {
  const at = world()
  await at.connect()
  await expect(signUsdcAuthorization(at.config, { kit: at.kit, ...asked400 })).rejects.toMatchObject({
    name: 'PinsRequiredError',
    field: 'settlementContract',
  })
  expect(at.asked).toEqual([])
})

test('the operator is paid if the kit pins it', async () => {
  const payment = { subtotal: { cents: 1000 } }
  const unpinned = await shop()
  await expect(
    signUsdcAuthorization(unpinned.config, { kit: unpinned.kit, ...asked400, payment }),
  ).rejects.toMatchObject({ name: 'PinsRequiredError', field: 'pinned.settlementOperator' })
  const { config, kit } = await shop({ settlementOperator: stranger })
  const signed = await signUsdcAuthorization(config, { kit, ...asked400, payment, purchaseId: 'order 1' })
  expect(signed).toMatchObject({ orderKey: expect.stringMatching(/^0x[89a-f]/), salt: expect.any(String) })
})

test('random nonces are signed if the kit pins them', async () => {
  const { config, kit } = await shop({ paymentIntentBound: false })
  const signed = await signUsdcAuthorization(config, { kit, amount: { cents: 400 } })
  expect(signed.customerUsdcTransferData?.nonce).toBe(`0x${'ab'.repeat(32)}`)
  expect(signed).not.toHaveProperty('orderKey')
})
