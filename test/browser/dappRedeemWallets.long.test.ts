import type { Page } from 'playwright-core'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { beforeAllInBrowser } from './openChromium.ts'
import type { Visitor } from './shop/newVisitor.ts'
import { type OpenShop, openShop } from './shop/openShop.ts'
import { expectNothingPaid } from './shop/shopPage.ts'
import {
  type Behaviour,
  beHonest,
  letGo,
  newStrangeVisitor,
  type Standing,
  watch,
} from './shop/strangeWallet.ts'

let stage: OpenShop
let visitor: Visitor
beforeAllInBrowser(async () => {
  stage = await openShop()
})
afterAll(() => stage?.stop())
afterEach(() => visitor?.context.close())

/** A wallet's behavior, and the expected result. */
type Case = {
  /** The name includes the source where the behavior was seen. */
  name: string
  wallet: Behaviour
  standing?: Standing
  /** Whether part of the price is in USDC, which needs a second prompt. */
  usdc?: boolean
  /** The wallet's initial state. */
  chainId?: number
}

const payButton = (page: Page) => page.locator('section.card button.button-wide[aria-disabled=false]')
const receipt = (page: Page) => page.getByRole('heading', { name: 'It is yours' })
const trouble = (page: Page) => page.locator('section.card .problem')

/** Opens the shop, connects the wallet, and waits for the button. */
async function openPayment({ wallet, standing, usdc, chainId }: Omit<Case, 'name'>): Promise<Page> {
  const options = chainId === undefined ? {} : { chainId }
  visitor = await newStrangeVisitor(stage, options, wallet, standing)
  const page = await visitor.openTab('#/moth/moon-ferry')
  await connect(page)
  if (usdc) {
    await page.getByLabel('In USDC', { exact: true }).fill('10')
    await page.getByText('From your USDC: $10.00').waitFor()
  }
  await payButton(page).waitFor()
  await watch(page)
  return page
}

async function connect(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page
    .getByRole('button', { name: /Strange/ })
    .first()
    .click()
  await page.getByRole('button', { name: /^Wallet 0x/ }).waitFor()
}

/** Clicks the payment's button until the receipt appears. */
async function resume(page: Page): Promise<void> {
  for (let clicks = 0; clicks < 6; clicks++) {
    await receipt(page).or(payButton(page)).first().waitFor()
    if (await receipt(page).isVisible()) return
    const label = await payButton(page).textContent()
    await payButton(page).click()
    await payButton(page)
      .filter({ hasText: label ?? '' })
      .waitFor({ state: 'detached' })
  }
  await receipt(page).waitFor()
}

/** Expects one payment on chain, however often the button was clicked. */
async function expectPaidOnce(): Promise<void> {
  const { moths, creditsSpent } = await visitor.onChain()
  expect(moths).toHaveLength(1)
  expect(creditsSpent).toBeLessThan(25_500_000n)
  expect(visitor.pageErrors).toEqual([])
}

describe('the order is paid once with a wallet', () => {
  test.each<Case>([
    {
      name: 'whose v is 0 or 1 (Ledger: MetaMask/eth-sig-util, issue 226)',
      usdc: true,
      wallet: async (r, t) => (t.isSigning(r) ? t.inForm(await t.honest(r), 'yParity') : t.honest(r)),
    },
    {
      name: 'that signs in compact form (EIP-2098)',
      usdc: true,
      wallet: async (r, t) => (t.isSigning(r) ? t.inForm(await t.honest(r), 'compact') : t.honest(r)),
    },
    {
      name: 'whose s is high',
      usdc: true,
      wallet: async (r, t) => (t.isSigning(r) ? t.inForm(await t.honest(r), 'highS') : t.honest(r)),
    },
    {
      name: 'that writes hex in upper case',
      usdc: true,
      wallet: async (r, t) =>
        t.isSigning(r)
          ? `0x${String(await t.honest(r))
              .slice(2)
              .toUpperCase()}`
          : t.honest(r),
    },
    {
      name: 'that signs twice, and returns the second signature',
      usdc: true,
      wallet: async (r, t) => {
        if (t.isSigning(r)) await t.honest(r)
        return t.honest(r)
      },
    },
    {
      name: 'whose eth_chainId is a number (wevm/wagmi, pull request 3997)',
      wallet: async (r, t) => (r.method === 'eth_chainId' ? Number(await t.honest(r)) : t.honest(r)),
    },
    {
      name: 'whose eth_chainId is decimal text',
      wallet: async (r, t) => (r.method === 'eth_chainId' ? String(Number(await t.honest(r))) : t.honest(r)),
    },
    {
      name: 'whose eth_chainId is in upper case',
      wallet: async (r, t) =>
        r.method === 'eth_chainId' ? String(await t.honest(r)).toUpperCase() : t.honest(r),
    },
    {
      name: 'whose addresses are in lower case',
      usdc: true,
      wallet: async (r, t) => {
        const answer = await t.honest(r)
        return Array.isArray(answer) && typeof answer[0] === 'string'
          ? answer.map((one) => one.toLowerCase())
          : answer
      },
    },
    {
      name: 'that lists another account first at the click',
      wallet: async (r, t) => {
        const answer = await t.honest(r)
        return r.method === 'eth_accounts' && t.isConnected()
          ? ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', ...(answer as string[])]
          : answer
      },
    },
    {
      name: 'whose provider is frozen',
      wallet: (r, t) => t.honest(r),
      standing: { provider: (one) => Object.freeze(one) },
    },
    {
      name: 'whose provider rejects setting, defining and listing properties',
      wallet: (r, t) => t.honest(r),
      standing: {
        provider: (one) => {
          const no = () => {
            throw new TypeError('no')
          }
          return new Proxy(one, { set: no, defineProperty: no, ownKeys: no })
        },
      },
    },
    {
      name: 'that returns invalid data for capabilities and permissions',
      wallet: async (r, t) =>
        /^wallet_(getCapabilities|getPermissions|getCallsStatus)/.test(r.method)
          ? { '0x14a34': 'yes', constructor: 7 }
          : t.honest(r),
    },
    {
      name: 'next to a second wallet with the same rdns',
      wallet: (r, t) => t.honest(r),
      standing: {
        also: (announce) =>
          announce({ uuid: 'another' }, { request: () => Promise.reject(new Error('I am the other one')) }),
      },
    },
  ])('$name', async (given) => {
    const page = await openPayment(given)
    await payButton(page).click()
    await receipt(page).waitFor()
    await expectPaidOnce()
  })
})

const notAsked = /We couldn't verify your wallet's response\. Try again or use another wallet\./
const saidNo = /You rejected the (?:second )?request in your wallet\. You have not been charged\./
const couldNot =
  /Your wallet couldn't complete the request\. Make sure it is open and unlocked, then try again\./
const otherNetwork = /Your wallet is on a different network\. Switch to Base Sepolia and try again\./

describe('nothing is paid, the message is correct, and one payment is made once the wallet works:', () => {
  test.each<Case & { says: RegExp }>([
    {
      name: 'a capital 0X',
      wallet: async (r, t) => (t.isSigning(r) ? String(await t.honest(r)).toUpperCase() : t.honest(r)),
      says: notAsked,
    },
    {
      name: 'a signature with an extra byte',
      wallet: async (r, t) => (t.isSigning(r) ? `${await t.honest(r)}00` : t.honest(r)),
      says: notAsked,
    },
    {
      name: 'an ERC-6492 wrapper around a key’s signature',
      wallet: async (r, t) => {
        if (!t.isSigning(r)) return t.honest(r)
        const word = (value: string) => value.padStart(64, '0')
        const own = String(await t.honest(r)).slice(2)
        const parts = [
          word('11'.repeat(20)),
          word('60'),
          word('80'),
          word('0'),
          word('41'),
          own.padEnd(192, '0'),
        ]
        return `0x${parts.join('')}${'6492'.repeat(16)}`
      },
      says: notAsked,
    },
    {
      name: 'r, s and v instead of bytes',
      wallet: async (r, t) => {
        if (!t.isSigning(r)) return t.honest(r)
        const signature = String(await t.honest(r))
        return { r: signature.slice(0, 66), s: `0x${signature.slice(66, 130)}`, v: 27 }
      },
      says: notAsked,
    },
    { name: 'null', wallet: (r, t) => (t.isSigning(r) ? null : t.honest(r)), says: notAsked },
    {
      name: 'a signature of another account',
      wallet: (r, t) => (t.isSigning(r) ? t.signAsAnother(r) : t.honest(r)),
      says: notAsked,
    },
    {
      name: 'a second signature of another account',
      usdc: true,
      wallet: (r, t) => (t.isSecond(r) ? t.signAsAnother(r) : t.honest(r)),
      says: notAsked,
    },
    {
      name: 'a signature for a hundred times the price',
      wallet: (r, t) => {
        if (!t.isSigning(r)) return t.honest(r)
        const data = JSON.parse(String(r.params?.[1]))
        for (const [name, value] of Object.entries(data.message))
          if (/^\d+$/.test(String(value))) data.message[name] = `${value}00`
        return t.honest({ ...r, params: [r.params?.[0], JSON.stringify(data)] })
      },
      says: notAsked,
    },
    {
      name: 'a signature for another contract',
      usdc: true,
      wallet: (r, t) => {
        if (!t.isSigning(r)) return t.honest(r)
        const data = JSON.parse(String(r.params?.[1]))
        data.domain.verifyingContract = '0x000000000000000000000000000000000000dEaD'
        return t.honest({ ...r, params: [r.params?.[0], JSON.stringify(data)] })
      },
      says: notAsked,
    },
    {
      name: 'the first signature again at the second prompt',
      usdc: true,
      wallet: async (r, t) => {
        if (!t.isSigning(r)) return t.honest(r)
        t.memory.first ??= await t.honest(r)
        return t.memory.first
      },
      says: notAsked,
    },
    {
      name: 'a chain change without an event',
      wallet: (r, t) => (r.method === 'eth_chainId' && t.isConnected() ? '0x1' : t.honest(r)),
      says: otherNetwork,
    },
    {
      name: 'a wrong chain ID, detected when signing',
      wallet: (r, t) => {
        if (t.isSigning(r))
          throw { code: -32603, message: 'Provided chainId "84532" must match the active chainId "1"' }
        return t.honest(r)
      },
      says: otherNetwork,
    },
    {
      name: 'a rejected network switch, as a string',
      chainId: 1,
      wallet: (r, t) => {
        if (r.method === 'wallet_switchEthereumChain') throw 'User rejected methods.'
        return t.honest(r)
      },
      says: /You rejected the request in your wallet\.(?! You have)/,
    },
    {
      name: 'a rejection as a string (sherlock-protocol/sherlock-v2-frontend, pull request 59)',
      wallet: (r, t) => {
        if (t.isSigning(r)) throw 'User rejected methods.'
        return t.honest(r)
      },
      says: saidNo,
    },
    {
      name: 'a rejection without a code',
      wallet: (r, t) => {
        if (t.isSigning(r)) throw { message: 'MetaMask Message Signature: User denied message signature.' }
        return t.honest(r)
      },
      says: saidNo,
    },
    {
      name: 'a rejection nested in -32603',
      wallet: (r, t) => {
        if (t.isSigning(r))
          throw { code: -32603, message: 'Internal JSON-RPC error.', data: { originalError: { code: 4001 } } }
        return t.honest(r)
      },
      says: saidNo,
    },
    {
      name: 'a rejection with code 5000 (WalletConnect)',
      wallet: (r, t) => {
        if (t.isSigning(r)) throw { code: 5000, message: 'User rejected.' }
        return t.honest(r)
      },
      says: saidNo,
    },
    {
      name: 'a rejection whose code is a string',
      wallet: (r, t) => {
        if (t.isSigning(r)) throw { code: '4001', message: 'nope' }
        return t.honest(r)
      },
      says: saidNo,
    },
    {
      name: 'a rejection in German, with a code',
      wallet: (r, t) => {
        if (t.isSigning(r)) throw { code: 4001, message: 'Der Benutzer hat die Anfrage abgelehnt.' }
        return t.honest(r)
      },
      says: saidNo,
    },
    {
      name: 'a rejection in Chinese, without a code',
      wallet: (r, t) => {
        if (t.isSigning(r)) throw new Error('用户取消了操作')
        return t.honest(r)
      },
      says: couldNot,
    },
    {
      name: 'a rejection of the second prompt, as a string',
      usdc: true,
      wallet: (r, t) => {
        if (t.isSecond(r)) throw 'User rejected methods.'
        return t.honest(r)
      },
      says: saidNo,
    },
    {
      name: 'code 1 with an unusual message (trezor/trezor-suite, issue 32297)',
      wallet: (r, t) => {
        if (t.isSigning(r)) throw { code: 1, message: 'eth_sendTransaction push error' }
        return t.honest(r)
      },
      says: couldNot,
    },
    {
      name: 'undefined thrown as an error',
      wallet: (r, t) => (t.isSigning(r) ? Promise.reject(undefined) : t.honest(r)),
      says: couldNot,
    },
    {
      name: 'an error whose properties throw when they are read',
      wallet: (r, t) => {
        if (!t.isSigning(r)) return t.honest(r)
        const trap = () => {
          throw new Error('trap')
        }
        throw new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap })
      },
      says: couldNot,
    },
    {
      name: 'a synchronous error',
      wallet: (r, t) => {
        if (t.isSigning(r)) throw new TypeError('window.frame is null')
        return t.honest(r)
      },
      says: couldNot,
    },
    {
      name: 'a request that is already pending',
      wallet: (r, t) => {
        if (t.isSigning(r)) throw { code: -32002, message: 'Request already pending' }
        return t.honest(r)
      },
      says: /A request is already waiting in your wallet\. Open your wallet to continue\./,
    },
    {
      name: 'an account that is no longer authorized',
      wallet: (r, t) => {
        if (t.isSigning(r)) throw { code: 4100, message: 'The requested account has not been authorized.' }
        return t.honest(r)
      },
      says: /Your wallet is not connected to this page\. Connect it and try again\./,
    },
    {
      name: 'accounts as a string',
      wallet: async (r, t) => {
        const answer = await t.honest(r)
        return r.method === 'eth_accounts' && t.isConnected() ? String(answer) : answer
      },
      says: notAsked,
    },
    {
      name: 'no account, as if locked, without an event',
      wallet: async (r, t) => {
        const answer = await t.honest(r)
        return r.method === 'eth_accounts' && t.isConnected() ? [] : answer
      },
      says: /Your wallet is not connected to this page\. Connect it and try again\./,
    },
    {
      name: 'a different account, without an event',
      wallet: async (r, t) => {
        const answer = await t.honest(r)
        return r.method === 'eth_accounts' && t.isConnected()
          ? ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8']
          : answer
      },
      says: /Your wallet is using a different account\./,
    },
  ])('$name', async ({ says, ...given }) => {
    const page = await openPayment(given)
    await payButton(page).click()
    await trouble(page).waitFor()
    expect(await trouble(page).textContent()).toMatch(says)
    await expectNothingPaid(visitor)
    await beHonest(page)
    await resume(page)
    await expectPaidOnce()
  })
})

test('an unknown chain whose error code is nested (Uniswap/web3-react, pull request 770) is added and used', async () => {
  const page = await openPayment({
    chainId: 1,
    wallet: (r, t) => {
      if (r.method === 'wallet_switchEthereumChain' && !t.memory.isAdded)
        throw {
          code: -32603,
          message: 'Unrecognized chain ID. Try adding the chain using wallet_addEthereumChain first.',
          data: { originalError: { code: 4902 } },
        }
      if (r.method !== 'wallet_addEthereumChain') return t.honest(r)
      t.memory.isAdded = true
      return t.honest({ ...r, method: 'wallet_switchEthereumChain' })
    },
  })
  await resume(page)
  await expectPaidOnce()
})

describe('during the wallet request,', () => {
  const slow: Behaviour = async (r, t) => {
    if (t.isSigning(r)) await t.held()
    return t.honest(r)
  }
  /** The prompt is open and unanswered. */
  const openPrompt = async (given: Omit<Case, 'name' | 'wallet'> = {}) => {
    const page = await openPayment({ wallet: slow, ...given })
    await payButton(page).click()
    await page.getByText('Confirm in your wallet').first().waitFor()
    return page
  }
  /** Waits for this number of prompts, and until each signature is processed. */
  const signed = (count: number) => expect.poll(() => visitor.wallet.prompts.length).toBe(count)

  test('the wallet never responds: a reload prompts once more and pays once', async () => {
    const page = await openPrompt()
    await page.reload()
    await beHonest(page)
    await resume(page)
    await expectPaidOnce()
    expect(visitor.wallet.prompts).toHaveLength(1)
  })

  test('a second click does not prompt again', async () => {
    const page = await openPrompt()
    await page.locator('section.card button.button-wide').dblclick({ force: true })
    await letGo(page)
    await receipt(page).waitFor()
    await expectPaidOnce()
    expect(visitor.wallet.prompts).toHaveLength(1)
  })

  test('the visitor opens another page: a later signature is not submitted, and the next click pays once', async () => {
    const page = await openPrompt()
    await page.getByRole('link', { name: 'Bills' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Bills' }).waitFor()
    await letGo(page)
    await signed(1)
    await page.goBack()
    await beHonest(page)
    await resume(page)
    await expectPaidOnce()
  })

  test.each<[string, string, unknown]>([
    ['it locks', 'accountsChanged', []],
    [
      'it disconnects',
      'disconnect',
      { code: 1013, message: 'Disconnected from chain. Attempting to connect.' },
    ],
    ['it switches to another chain', 'chainChanged', '0x1'],
    ['it switches to another account', 'accountsChanged', ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8']],
    ['it reports an invalid chain', 'chainChanged', { chainId: 'x' }],
  ])('%s, but signs anyway: at most one payment, and exactly one after a reload', async (_, event, value) => {
    const page = await openPrompt()
    await visitor.emit(event as 'disconnect', value) // The event can be any string that a wallet sends.
    await letGo(page)
    await signed(1)
    expect((await visitor.onChain()).moths.length).toBeLessThanOrEqual(1)
    await beHonest(page)
    await page.reload()
    // The wallet may still be connected.
    const isIn = payButton(page).or(receipt(page)).first().waitFor({ timeout: 10_000 })
    await isIn.catch(() => connect(page))
    await resume(page)
    await expectPaidOnce()
  })

  test('the account changes before the second prompt: nothing is submitted, and the first signature is not requested again', async () => {
    const page = await openPayment({
      usdc: true,
      wallet: async (r, t) => {
        if (t.isSecond(r)) await t.held()
        const answer = await t.honest(r)
        if (t.isSigning(r)) t.memory.hasSigned = true
        return r.method === 'eth_accounts' && t.memory.hasSigned
          ? ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8']
          : answer
      },
    })
    await payButton(page).click()
    await trouble(page).waitFor()
    await expectNothingPaid(visitor)
    await beHonest(page)
    await resume(page)
    await expectPaidOnce()
    expect(visitor.wallet.prompts).toEqual(['CreditsAuthorization', 'ReceiveWithAuthorization'])
  })

  test('the wallet reports fifty chain changes, in every notation', async () => {
    const page = await openPrompt()
    for (const chain of ['0x14a34', 84_532, '84532', '0X14A34', '0x14A34'])
      for (let times = 0; times < 10; times++) await visitor.emit('chainChanged', chain)
    await letGo(page)
    await receipt(page).waitFor()
    await expectPaidOnce()
    expect(visitor.wallet.prompts).toHaveLength(1)
  })
})

describe('the announced name and icon of a wallet', () => {
  test.each<[string, Record<string, unknown>]>([
    ['a script as icon', { icon: 'javascript:window.isPwned=1' }],
    [
      'an icon with a script in it',
      {
        icon: `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" onload="top.isPwned=1"><script>top.isPwned=1</script></svg>')}`,
      },
    ],
    ['a name with markup', { name: 'Strange<img src=x onerror="window.isPwned=1">' }],
    ['a name with bidirectional control characters', { name: 'Strange \u202egnp.tellaw\u202c \u2066' }],
    ['a name of 20,000 letters', { name: `Strange ${'x'.repeat(20_000)}` }],
    ['an icon of 10 MB', { icon: `data:image/png;base64,${'A'.repeat(10_000_000)}` }],
    ['no icon, and a number as rdns', { icon: null, rdns: 7 }],
    ['a name that every JavaScript object has', { rdns: 'constructor', uuid: '__proto__' }],
  ])('%s: shown as text and image, runs no script, and pays once', async (_, info) => {
    const page = await openPayment({ wallet: (r, t) => t.honest(r), standing: { info } })
    await payButton(page).click()
    await receipt(page).waitFor()
    expect(await page.evaluate(() => 'isPwned' in window)).toBe(false)
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBe(0)
    await expectPaidOnce()
  })
})
