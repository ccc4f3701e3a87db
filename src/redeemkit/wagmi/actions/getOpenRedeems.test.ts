// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { chainId, otherChainId, purchase, world } from '../wagmi.fixture.ts'
import { getOpenRedeems } from './getOpenRedeems.ts'
import { redeem } from './redeem.ts'

test("returns those of every pinned chain, whatever the wallet's chain, and unreadable ones once", async () => {
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
  const [name = ''] = items.keys()
  items.set(`${name}x`, 'unreadable')
  const { open, unreadable } = await getOpenRedeems(config, { kit })
  expect(open.map(({ options }) => options.chainId)).toEqual([chainId])
  expect(unreadable).toHaveLength(1)
  expect((await getOpenRedeems(config, { kit, chainId: otherChainId })).open).toEqual([])
})
