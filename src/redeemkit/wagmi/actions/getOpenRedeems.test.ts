// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { purchaseName } from '../../redeem/purchase/purchaseRecord.ts'
import { chainId, otherChainId, purchase, world } from '../wagmi.fixture.ts'
import { getOpenRedeems } from './getOpenRedeems.ts'
import { redeem } from './redeem.ts'

test('returns the open purchases of all pinned chains, oldest first, and each unreadable item once', async () => {
  const { kit: first } = world()
  const [pin] = first.pins
  if (pin === undefined) throw new Error('Nothing is pinned.')
  const at = world({ kit: { pins: [{ ...pin, chainId: otherChainId }, pin] } })
  const { config, kit, wallet, items } = at
  let prompts = 0
  wallet.state.answers.eth_signTypedData_v4 = (sign) => {
    if (++prompts === 1) return sign()
    throw Object.assign(new Error('no'), { code: 4001 })
  }
  await at.connect()
  const begun = redeem(config, { kit, chainId, ...purchase, usdcAmount: { cents: 400 } })
  await expect(begun).rejects.toMatchObject({ name: 'UserRejectedError' })
  wallet.state.chainId = otherChainId
  wallet.emit('chainChanged', `0x${otherChainId.toString(16)}`)
  const [[name, text] = ['', '']] = items
  items.set(`${name}x`, 'unreadable')
  // A later purchase on the other chain, whose page was closed at the prompt.
  const { permit: _, ...record } = JSON.parse(text)
  const later = { ...record, purchase: { ...record.purchase, chainId: otherChainId } }
  items.set(purchaseName(later.purchase), JSON.stringify({ ...later, begunAt: `${record.begunAt}0` }))
  const { open, unreadable } = await getOpenRedeems(config, { kit })
  expect(open.map(({ options }) => options.chainId)).toEqual([chainId, otherChainId])
  expect(unreadable).toMatchObject([{ name: `${name}x` }])
  expect((await getOpenRedeems(config, { kit, chainId })).open).toEqual(open.slice(0, 1))
})

test('an invalid option is an error even if the storage is empty', async () => {
  const { config, kit, connect } = world()
  await expect(getOpenRedeems(config, { kit })).rejects.toMatchObject({ name: 'WalletNotConnectedError' })
  await connect()
  const elsewhere = getOpenRedeems(config, { kit, chainId: otherChainId })
  await expect(elsewhere).rejects.toMatchObject({ name: 'PinsRequiredError' })
})
