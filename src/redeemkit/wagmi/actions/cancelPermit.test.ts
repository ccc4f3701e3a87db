// @vitest-environment happy-dom
import { decodeFunctionData, type Hex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { creditsContract, nonce } from '../../redeem/redeem.fixture.ts'
import { chainId, hash, otherChainId, stranger, wallet, world } from '../wagmi.fixture.ts'
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
  await expect(cancelPermit(at.config, { kit: at.kit, chainId, nonce })).resolves.toEqual({ hash })
  const [transaction] = sent
  expect(transaction?.to).toBe(creditsContract)
  expect(decodeFunctionData({ abi, data: transaction?.data ?? '0x' }).args.slice(0, 2)).toEqual([
    wallet,
    nonce,
  ])
})

test('a rejected signature sends nothing', async () => {
  const at = world()
  await at.connect()
  at.wallet.state.answers.eth_signTypedData_v4 = () => {
    throw Object.assign(new Error('no'), { code: 4001 })
  }
  await expect(cancelPermit(at.config, { kit: at.kit, chainId, nonce })).rejects.toMatchObject({
    name: 'UserRejectedError',
  })
  expect(at.asked).not.toContain('wallet eth_sendTransaction')
})

test('nothing is signed if the wallet is on another chain, because the permit would stay valid', async () => {
  const { kit: first } = world()
  const [pin] = first.pins
  if (pin === undefined) throw new Error('Nothing is pinned.')
  const at = world({ kit: { pins: [pin, { ...pin, chainId: otherChainId }] } })
  at.wallet.state.chainId = otherChainId
  await at.connect()
  await expect(cancelPermit(at.config, { kit: at.kit, chainId, nonce })).rejects.toMatchObject({
    name: 'WrongNetworkError',
  })
  // JavaScript callers get no type errors.
  await expect(cancelPermit(at.config, { kit: at.kit, nonce } as never)).rejects.toMatchObject({
    name: 'InvalidChainIdError',
    field: 'chainId',
  })
  await expect(
    cancelPermit(at.config, { kit: at.kit, chainId, nonce, wallet: stranger }),
  ).rejects.toMatchObject({ name: 'WrongSignerError' })
  expect(at.asked).not.toContain('wallet eth_signTypedData_v4')
})
