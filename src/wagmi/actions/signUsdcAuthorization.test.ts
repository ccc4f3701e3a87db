// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { pinned, usdcAddress } from '../../redeem/redeem.fixture.ts'
import { chainId, stranger, wallet, world } from '../wagmi.fixture.ts'
import { signUsdcAuthorization } from './signUsdcAuthorization.ts'

const settlementContract = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const honest = { from: wallet as string, to: settlementContract as string, value: '4000000' }
let lie: Partial<typeof honest>
beforeEach(() => {
  lie = {}
})

const fields = (names: string) =>
  names.split(', ').map((pair) => ({ name: pair.split(' ')[1], type: pair.split(' ')[0] }))

async function shop() {
  const at = world({
    kit: { pins: [{ ...pinned, chainId, settlementContract }] },
    routes: {
      'checkout/evm/usdc-authorization': () => {
        const validBefore = `${at.clock.ms / 1000 + 600}`
        const data = { ...honest, ...lie, validAfter: '0', validBefore, nonce: `0x${'ab'.repeat(32)}` }
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

test('a key-held account gives V1', async () => {
  const { config, kit } = await shop()
  const { customerUsdcTransferData } = await signUsdcAuthorization(config, { kit, amount: { cents: 400 } })
  expect(customerUsdcTransferData).toMatchObject({ from: wallet, value: '4000000', v: expect.any(Number) })
})

test('an account with code gives V2', async () => {
  const { config, kit, chain } = await shop()
  chain.code = '0xef0100'
  const { customerUsdcTransferDataV2 } = await signUsdcAuthorization(config, { kit, amount: { cents: 400 } })
  expect(customerUsdcTransferDataV2).toMatchObject({ from: wallet, signature: expect.stringMatching(/^0x/) })
})

test.each([
  ['to somebody else', { to: stranger }, 'message.to'],
  ['of more', { value: '4000001' }, 'message.value'],
  ['from another account', { from: stranger }, 'message.from'],
])('a text that moves USDC %s is refused before the wallet is asked', async (_, change, field) => {
  const { config, kit, asked } = await shop()
  lie = change
  await expect(signUsdcAuthorization(config, { kit, amount: { cents: 400 } })).rejects.toMatchObject({
    name: 'PreparedMismatchError',
    field,
  })
  expect(asked).not.toContain('wallet eth_signTypedData_v4')
})

test('without a pinned contract the service is not even asked', async () => {
  const at = world()
  await at.connect()
  await expect(
    signUsdcAuthorization(at.config, { kit: at.kit, amount: { cents: 400 } }),
  ).rejects.toMatchObject({
    name: 'PinsRequiredError',
    field: 'settlementContract',
  })
  expect(at.asked).toEqual([])
})
