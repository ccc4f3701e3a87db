// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { userMessage } from '../../core/userMessage/userMessage.ts'
import { isOpenRedeemError } from '../../redeem/isOpenRedeemError.ts'
import { purchaseName } from '../../redeem/purchase/purchaseRecord.ts'
import { chainId, hash, otherChainId, purchase, stranger, world } from '../wagmi.fixture.ts'
import { getOpenRedeems, resumeRedeem } from './openRedeems.ts'
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

const switching = 'wallet wallet_switchEthereumChain'
const prompt = 'wallet eth_signTypedData_v4'
const no = () => {
  throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
}

/** Returns an entry of `listOpenRedeems` after its wallet has switched to another chain. */
async function leftOpen(
  begin: (at: ReturnType<typeof world>) => Promise<unknown>,
  change: Parameters<typeof world>[0] = {},
) {
  const { kit: first } = world()
  const [pin] = first.pins
  if (pin === undefined) throw new Error('Nothing is pinned.')
  const at = world({ ...change, kit: { pins: [pin, { ...pin, chainId: otherChainId }] } })
  await at.connect()
  await begin(at)
  at.wallet.state.chainId = otherChainId
  at.wallet.emit('chainChanged', `0x${otherChainId.toString(16)}`)
  at.wallet.state.answers = {}
  at.asked.length = 0
  const { config, kit } = at
  const { open } = await getOpenRedeems(config, { kit })
  const [oldest] = open
  if (oldest === undefined) throw new Error('Nothing is open.')
  return { ...at, resume: (more = {}) => resumeRedeem(config, { kit, ...oldest.options, ...more }) }
}

/** Signs the first of a redeem's two prompts. */
const halfSigned = () =>
  leftOpen(async ({ config, kit, wallet }) => {
    let prompts = 0
    wallet.state.answers.eth_signTypedData_v4 = (sign) => (++prompts === 1 ? sign() : no())
    const begun = redeem(config, { kit, chainId, ...purchase, usdcAmount: { cents: 400 } })
    await expect(begun).rejects.toMatchObject({ name: 'UserRejectedError' })
  })

test('if a signature is missing, the wallet first switches to the chain of the purchase', async () => {
  const { resume, asked } = await halfSigned()
  expect((await resume()).hash).toBe(hash)
  expect(asked.filter((call) => call === switching || call === prompt)).toEqual([switching, prompt])
})

test('a rejected switch changes nothing, and nothing is signed', async () => {
  const { resume, asked, wallet, config, kit } = await halfSigned()
  wallet.state.answers.wallet_switchEthereumChain = no
  await expect(resume()).rejects.toMatchObject({ name: 'UserRejectedError' })
  expect(asked).not.toContain(prompt)
  expect((await getOpenRedeems(config, { kit })).open).toHaveLength(1)
})

test('an abort ends the wait for the switch, and nothing is signed', async () => {
  const { resume, asked, wallet } = await halfSigned()
  const abort = new AbortController()
  wallet.state.answers.wallet_switchEthereumChain = () => {
    abort.abort()
    return new Promise(() => {})
  }
  await expect(resume({ signal: abort.signal })).rejects.toMatchObject({ name: 'RequestAbortedError' })
  expect(asked).not.toContain(prompt)
})

test('a rejected permit is not requested again', async () => {
  const { resume, asked, wallet } = await halfSigned()
  wallet.state.chainId = chainId
  wallet.state.answers.eth_signTypedData_v4 = no
  await expect(resume()).rejects.toMatchObject({ name: 'UserRejectedError' })
  expect(asked.filter((call) => call === switching || call === prompt)).toEqual([prompt])
})

test('if everything is signed, no prompt opens', async () => {
  let isDown = true
  const { resume, asked } = await leftOpen(
    ({ config, kit }) =>
      expect(redeem(config, { kit, chainId, ...purchase })).rejects.toSatisfy(isOpenRedeemError),
    {
      submit: () => (isDown ? Response.json({}, { status: 400 }) : Response.json({ hash })),
      isTaken: () => !isDown,
    },
  )
  isDown = false
  expect((await resume()).hash).toBe(hash)
  expect(asked).not.toContain(switching)
  expect(asked).not.toContain(prompt)
})

test('a redeem of an account that is not connected is an error, and is not signed again', async () => {
  const { resume, asked, wallet } = await halfSigned()
  wallet.state.accounts = [stranger]
  wallet.emit('accountsChanged', [stranger])
  const error = await resume().catch((cause: unknown) => cause)
  expect(error).toMatchObject({ name: 'WrongSignerError', field: 'wallet' })
  expect(userMessage(error)).toContain('a different account')
  expect(asked).not.toContain(prompt)
})

/** Submits a permit that the service rejects because the fee changed. */
async function feeMoved() {
  let answer = () => Response.json({}, { status: 400 })
  let isTaken = false
  const at = await leftOpen(
    ({ config, kit }) =>
      expect(redeem(config, { kit, chainId, ...purchase })).rejects.toSatisfy(isOpenRedeemError),
    { submit: () => answer(), isTaken: () => isTaken },
  )
  answer = () => Response.json({ code: 'EXCEEDS_AUTHORIZED' }, { status: 412 })
  const settle = () => {
    answer = () => Response.json({ hash })
    isTaken = true
  }
  return { ...at, settle }
}

test('if a submitted permit must be signed again, the wallet switches for it', async () => {
  const { resume, asked, wallet, settle } = await feeMoved()
  wallet.state.answers.eth_signTypedData_v4 = (own) => {
    settle()
    return own()
  }
  expect((await resume()).hash).toBe(hash)
  expect(asked.filter((call) => call === switching || call === prompt)).toEqual([switching, prompt])
})

test('a rejected switch does not change the state of the submitted permit', async () => {
  const { resume, asked, wallet } = await feeMoved()
  wallet.state.answers.wallet_switchEthereumChain = no
  const error = await resume().catch((cause: unknown) => cause)
  expect(error).toSatisfy(isOpenRedeemError)
  expect(userMessage(error)).not.toContain('You have not been charged')
  expect(asked).not.toContain(prompt)
})
