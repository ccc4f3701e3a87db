// @vitest-environment happy-dom
import { decodeFunctionData, type Hex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { creditsContract, nonce } from '../../redeem/redeem.fixture.ts'
import { hash, wallet, world } from '../wagmi.fixture.ts'
import { cancelPermit } from './cancelPermit.ts'

const abi = parseAbi(['function cancelCreditsAuthorization(address, bytes32, bytes)'])

test('the wallet signs the cancellation, and sends it to the pinned contract', async () => {
  const at = world()
  await at.connect()
  const sent: { to?: string; data?: Hex }[] = []
  at.wallet.state.onSend = (transaction) => {
    sent.push(transaction)
    return hash
  }
  await expect(cancelPermit(at.config, { kit: at.kit, nonce })).resolves.toEqual({ hash })
  const [transaction] = sent
  expect(transaction?.to).toBe(creditsContract)
  expect(decodeFunctionData({ abi, data: transaction?.data ?? '0x' }).args.slice(0, 2)).toEqual([
    wallet,
    nonce,
  ])
})

test('a no to the signature sends nothing', async () => {
  const at = world()
  await at.connect()
  at.wallet.state.answers.eth_signTypedData_v4 = () => {
    throw Object.assign(new Error('no'), { code: 4001 })
  }
  await expect(cancelPermit(at.config, { kit: at.kit, nonce })).rejects.toMatchObject({
    name: 'UserRejectedError',
  })
  expect(at.asked).not.toContain('wallet eth_sendTransaction')
})
