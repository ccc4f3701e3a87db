// @vitest-environment happy-dom
import { act, cleanup, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { english } from '../core/userMessage/userMessages.ts'
import { pinned } from '../redeem/redeem.fixture.ts'
import type { RedeemButtonStep } from '../wagmi/describeRedeemButton.ts'
import { chainId, hash, otherChainId, purchase, stranger, type World } from '../wagmi/wagmi.fixture.ts'
import { renderIn } from './react.fixture.tsx'
import { useRedeem } from './useRedeem.ts'

afterEach(cleanup)

const prompt = 'wallet eth_signTypedData_v4'
const inUsdc = { usdcAmount: { cents: 400 } }
const no = () => {
  throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
}
const never = () => new Promise(() => {})
const promptsOf = ({ asked }: World) => asked.filter((call) => call === prompt).length

type Shown = { current: useRedeem.ReturnType }
const until = (result: Shown, step: RedeemButtonStep) => waitFor(() => expect(result.current.step).toBe(step))

/** Renders a button, and records every step that it shows. */
async function button(
  change: Partial<useRedeem.Parameters> = {},
  worldly: NonNullable<Parameters<typeof renderIn>[1]> = {},
) {
  const steps: RedeemButtonStep[] = []
  const view = await renderIn(() => {
    const shown = useRedeem({ ...purchase, ...change })
    if (steps.at(-1) !== shown.step) steps.push(shown.step)
    return shown
  }, worldly)
  await waitFor(() => expect(view.result.current.canClick).toBe(true))
  return { steps, ...view }
}

describe('the steps of a redeem', () => {
  test('with credits: prepared before the click, one prompt, confirmed', async () => {
    const { result, click, steps } = await button()
    await click(result.current.onClick)
    await until(result, 'done')
    expect(steps).toEqual([
      'preparing',
      'ready',
      'checking',
      'signingPermit',
      'submitting',
      'confirming',
      'done',
    ])
  })

  test('with USDC: two prompts', async () => {
    const { result, click, steps, at } = await button(inUsdc)
    await click(result.current.onClick)
    await until(result, 'done')
    expect(steps).toContain('signingUsdc')
    expect(promptsOf(at)).toBe(2)
  })

  test('shows the signing text, with the fee, before the click', async () => {
    const { result } = await button()
    expect(result.current.signing).toMatchObject({ fee: '$0.03', most: '$10.03' })
  })

  test('a chain that could not be read is reported until everything is signed', async () => {
    const pins = [chainId, otherChainId].map((id) => ({ ...pinned, chainId: id }))
    // The fixture's node serves only Base Sepolia.
    const { result, click } = await button({ purchaseId: 'order 7', chainId }, { kit: { pins } })
    expect(result.current.elsewhere).toMatchObject([{ code: 'ORDER_NOT_READ', severity: 'warning' }])
    await click(result.current.onClick)
    await until(result, 'done')
    expect(result.current.elsewhere).toEqual([])
  })

  test('the step `done` shows the moved amounts', async () => {
    const { result, click } = await button()
    await click(result.current.onClick)
    await until(result, 'done')
    expect(result.current.data).toMatchObject({ hash, outcome: { amount: 10_000_000n } })
  })
})

describe('between the click and the wallet', () => {
  test.each([
    ['credits', {}],
    ['credits and USDC', inUsdc],
  ])('no network request is made: %s', async (_, change) => {
    const { result, click, at } = await button(change)
    at.asked.length = 0
    await click(result.current.onClick)
    await until(result, 'done')
    expect(at.asked.slice(0, at.asked.indexOf(prompt))).toEqual(['wallet eth_accounts', 'wallet eth_chainId'])
  })

  test('an expired check is repeated at the click, and nothing is signed', async () => {
    const { result, click, at } = await button()
    at.clock.ms += 61_000
    await click(result.current.onClick)
    await until(result, 'ready')
    expect(promptsOf(at)).toBe(0)
  })
})

describe('a wallet that misbehaves', () => {
  test('rejects: nothing was paid, and the next click asks again', async () => {
    const { result, click, at } = await button()
    at.wallet.state.answers.eth_signTypedData_v4 = no
    await click(result.current.onClick)
    await until(result, 'ready')
    expect(result.current.userMessage).toBe(
      'You rejected the request in your wallet. You have not been charged.',
    )
    at.wallet.state.answers = {}
    await click(result.current.onClick)
    await until(result, 'done')
  })

  test('is on another chain: a click switches the chain, and signs nothing', async () => {
    const { result, click, at } = await button()
    await act(async () => at.wallet.emit('chainChanged', `0x${otherChainId.toString(16)}`))
    await until(result, 'wrongChain')
    await click(result.current.onClick)
    await until(result, 'ready')
    expect(at.asked).toContain('wallet wallet_switchEthereumChain')
    expect(promptsOf(at)).toBe(0)
  })

  test('reports a wrong chain: nothing is signed, and the next click switches the chain', async () => {
    const { result, click, at } = await button()
    at.wallet.state.named = otherChainId
    await click(result.current.onClick)
    await until(result, 'wrongChain')
    expect(promptsOf(at)).toBe(0)
  })

  test('hangs: a second click opens no second prompt', async () => {
    const { result, click, at } = await button()
    at.wallet.state.answers.eth_signTypedData_v4 = never
    await click(result.current.onClick)
    await until(result, 'signingPermit')
    await click(result.current.onClick)
    expect(promptsOf(at)).toBe(1)
    expect(result.current.canClick).toBe(false)
  })

  test('hangs, and the user starts again: a late signature is not sent, and one payment is made', async () => {
    const { result, click, at } = await button({ purchaseId: 'order 1' })
    let answerLate = () => {}
    at.wallet.state.answers.eth_signTypedData_v4 = (sign) =>
      new Promise((resolve) => {
        answerLate = () => resolve(sign())
      })
    await click(result.current.onClick)
    await until(result, 'signingPermit')
    expect(result.current.canCancel).toBe(true)
    act(() => result.current.cancel())
    await until(result, 'ready')
    expect(result.current.canCancel).toBe(false)
    at.wallet.state.answers = {}
    await click(result.current.onClick)
    await until(result, 'done')
    await act(async () => answerLate())
    expect(at.redeemed.size).toBe(1)
    expect(at.asked.filter((call) => call === 'redeem/evm/sendGaslessTx')).toHaveLength(1)
  })

  test.each([
    ['credits', {}],
    ['credits and USDC', inUsdc],
  ])(
    'signs after the permit has expired: nothing is sent, and a click starts again: %s',
    async (_, change) => {
      const { result, click, at } = await button(change)
      at.wallet.state.answers.eth_signTypedData_v4 = (sign) => {
        at.clock.ms += 601_000
        return sign()
      }
      await click(result.current.onClick)
      await waitFor(() => expect(result.current.userMessage).toBe(english.ExpiredError))
      expect(at.asked).not.toContain('redeem/evm/sendGaslessTx')
    },
  )

  test('switches to another account: nothing is signed', async () => {
    const { result, click, at } = await button()
    at.wallet.state.accounts = [stranger]
    await click(result.current.onClick)
    await waitFor(() => expect(result.current.error?.name).toBe('WrongSignerError'))
    expect(promptsOf(at)).toBe(0)
  })

  test('disconnects between two prompts: the button shows it, and nothing is sent', async () => {
    const { result, click, at } = await button()
    at.wallet.state.answers.eth_signTypedData_v4 = never
    await click(result.current.onClick)
    await until(result, 'signingPermit')
    await act(async () => at.wallet.emit('accountsChanged', []))
    await until(result, 'notConnected')
    expect(at.redeemed.size).toBe(0)
    expect(result.current.userMessage).toBe('You disconnected your wallet. You have not been charged.')
  })
})

describe('a wallet that returns no valid signature', () => {
  const answers: [string, unknown][] = [
    ['no bytes', '0x'],
    ['65 zeros', `0x${'00'.repeat(65)}`],
    ['65 bytes that are no signature', `0x${'ff'.repeat(65)}`],
    ['other bytes', '0x1234'],
    ['text', 'signed!'],
    ['nothing', ''],
    ['a number', 1],
    ['null', null],
    ['an object', { signature: '0x' }],
  ]

  test.each(answers)('%s', async (_, answer) => {
    const { result, click, at } = await button()
    at.wallet.state.answers.eth_signTypedData_v4 = () => answer
    await click(result.current.onClick)
    await waitFor(() => expect(result.current.userMessage).toBe(english.WrongSignatureError))
    expect(at.asked).not.toContain('redeem/evm/sendGaslessTx')
  })

  test.each(answers)('at the second prompt: %s', async (_, answer) => {
    const { result, click, at } = await button({ ...inUsdc, secondClick: true })
    await click(result.current.onClick)
    await until(result, 'secondClick')
    at.wallet.state.answers.eth_signTypedData_v4 = () => answer
    await click(result.current.onClick)
    await waitFor(() => expect(result.current.userMessage).toBe(english.WrongSignatureError))
    expect(at.asked).not.toContain('redeem/evm/sendGaslessTx')
  })
})

describe('a network that fails while the prompt is open', () => {
  async function failingAtThePrompt(change: object) {
    const opened = await button(change)
    const { at, click, result } = opened
    at.wallet.state.answers.eth_signTypedData_v4 = (sign) => {
      at.gone.chain = at.gone.service = true
      return sign()
    }
    await click(result.current.onClick)
    const recover = () => {
      expect(at.asked).not.toContain('redeem/evm/sendGaslessTx')
      at.wallet.state.answers = {}
      at.gone.chain = at.gone.service = false
    }
    return { ...opened, recover }
  }

  test('before the submit, with credits: the redeem finishes without a click once the network is back', async () => {
    const { result, at, recover } = await failingAtThePrompt({})
    await until(result, 'lookingUp')
    recover()
    await until(result, 'done')
    expect([promptsOf(at), at.redeemed.size]).toEqual([1, 1])
  })

  test('before the submit, with USDC: nothing is sent, and the message does not blame the wallet', async () => {
    const { result, click, at, recover } = await failingAtThePrompt(inUsdc)
    await waitFor(() => expect(result.current.userMessage).toBe(english['PartlySignedError.network']))
    recover()
    await until(result, 'ready')
    await click(result.current.onClick)
    await until(result, 'done')
    // The permit was stored before the node was read.
    expect([promptsOf(at), at.redeemed.size]).toEqual([2, 1])
  })

  test('after the submit: the redeem finishes without a click once the network is back', async () => {
    let isGone = true
    const { result, click, at } = await button(
      {},
      {
        submit: () => {
          at.gone.chain = isGone
          if (isGone) throw new TypeError('Failed to fetch')
          return Response.json({ hash })
        },
        isTaken: () => !isGone,
      },
    )
    await click(result.current.onClick)
    await until(result, 'lookingUp')
    isGone = at.gone.chain = false
    await until(result, 'done')
    expect([promptsOf(at), at.redeemed.size]).toEqual([1, 1])
  })

  test('only between page and service: the redeem is looked up on chain, but not reported as submitted', async () => {
    const submit = () => {
      throw new TypeError('Failed to fetch')
    }
    // A signed redeem continues after the test, so it needs its own id.
    const { result, click, steps } = await button({ purchaseId: 'lost' }, { submit, isTaken: () => false })
    await click(result.current.onClick)
    await until(result, 'lookingUp')
    await waitFor(() => expect(steps.filter((step) => step === 'submitting')).toHaveLength(3))
    await until(result, 'lookingUp')
    expect(steps).not.toContain('confirming')
  })
})

describe('a payment service that does not respond after the click', () => {
  afterEach(() => vi.useRealTimers())

  test('the button reports it, can be clicked after 20 seconds, and finishes without a click', async () => {
    let isBack = false
    const { result, click, steps, at } = await button(
      { purchaseId: 'outage' },
      {
        submit: () => (isBack ? Response.json({ hash }) : new Response('', { status: 503 })),
        isTaken: () => isBack,
        kit: { sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) },
      },
    )
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    await click(result.current.onClick)
    await until(result, 'lookingUp')
    await pass(5_000)
    expect(result.current).toMatchObject({
      step: 'stillWaiting',
      canClick: false,
      userMessage: "Still waiting for the payment service. Please don't pay again.",
    })
    await pass(15_000)
    expect(result.current).toMatchObject({ step: 'stillWaiting', canClick: true })
    const submits = () => at.asked.filter((call) => call === 'redeem/evm/sendGaslessTx').length
    const before = submits()
    await click(result.current.onClick)
    await waitFor(() => expect(submits()).toBe(before + 1))
    isBack = true
    await pass(11_000)
    await until(result, 'done')
    expect(steps.filter((step) => step === 'stillWaiting')).toHaveLength(1)
    expect([promptsOf(at), at.redeemed.size]).toEqual([1, 1])
  })
})

describe('one purchase is paid once', () => {
  test('two clicks at the same time make one redeem', async () => {
    const { result, click, at } = await button()
    const { onClick: clicked } = result.current
    await click(() => {
      clicked()
      clicked()
    })
    await until(result, 'done')
    expect([promptsOf(at), at.redeemed.size]).toEqual([1, 1])
  })

  test('an order that was already paid is done immediately', async () => {
    const { result, click, at } = await button({ purchaseId: 'order 1' })
    await click(result.current.onClick)
    await until(result, 'done')
    act(() => result.current.reset())
    await until(result, 'done')
    expect(at.redeemed.size).toBe(1)
  })

  test('without an order id, the same purchase can be made again after a reset', async () => {
    const { result, click, at } = await button()
    await click(result.current.onClick)
    await until(result, 'done')
    act(() => result.current.reset())
    await until(result, 'ready')
    await click(result.current.onClick)
    await until(result, 'done')
    expect(at.redeemed.size).toBe(2)
  })
})

describe('another account', () => {
  const switchTo = (at: World, account: `0x${string}`) =>
    act(async () => {
      at.wallet.state.accounts = [account]
      at.wallet.emit('accountsChanged', [account])
    })

  test('does not use the check of the first account', async () => {
    const { result, at } = await button()
    at.asked.length = 0
    await switchTo(at, stranger)
    await waitFor(() => expect(result.current.step).not.toBe('ready'))
    expect(result.current.signing).toBeUndefined()
    expect(at.asked).toContain('redeem/evm/creditsAuthMsg')
  })

  test('during a prompt, does not send a late signature', async () => {
    const { result, click, at } = await button()
    let sign: (signature: string) => void = () => {}
    at.wallet.state.answers.eth_signTypedData_v4 = () => new Promise((resolve) => (sign = resolve))
    await click(result.current.onClick)
    await until(result, 'signingPermit')
    await switchTo(at, stranger)
    await act(async () => sign(`0x${'12'.repeat(65)}`))
    expect(at.asked).not.toContain('redeem/evm/sendGaslessTx')
    expect(result.current.userMessage).toBe('You switched accounts. You have not been charged.')
  })

  test('without a prompt, shows no message', async () => {
    const { result, at } = await button()
    await switchTo(at, stranger)
    await waitFor(() => expect(result.current.step).not.toBe('ready'))
    expect(result.current.error?.name).not.toBe('AccountChangedError')
  })
})

describe('a second click for the second prompt', () => {
  test('makes no network request', async () => {
    const { result, click, at } = await button({ ...inUsdc, secondClick: true })
    await click(result.current.onClick)
    await until(result, 'secondClick')
    expect(promptsOf(at)).toBe(1)
    at.asked.length = 0
    await click(result.current.onClick)
    await until(result, 'done')
    expect(at.asked.slice(0, at.asked.indexOf(prompt))).toEqual([])
  })

  test('after a rejection, only the second prompt is repeated', async () => {
    const { result, click, at } = await button({ ...inUsdc, secondClick: true })
    await click(result.current.onClick)
    await until(result, 'secondClick')
    at.wallet.state.answers.eth_signTypedData_v4 = no
    await click(result.current.onClick)
    await waitFor(() => expect(result.current.error).not.toBeNull())
    at.wallet.state.answers = {}
    at.asked.length = 0
    await until(result, 'ready')
    await click(result.current.onClick)
    await until(result, 'done')
    expect(promptsOf(at)).toBe(1)
  })
})

describe('a component that unmounts', () => {
  test('before anything is signed: nothing is sent', async () => {
    const { result, click, at, unmount } = await button()
    let sign: (signature: string) => void = () => {}
    at.wallet.state.answers.eth_signTypedData_v4 = () => new Promise((resolve) => (sign = resolve))
    await click(result.current.onClick)
    await until(result, 'signingPermit')
    unmount()
    await act(async () => sign(`0x${'12'.repeat(65)}`))
    expect(at.asked).not.toContain('redeem/evm/sendGaslessTx')
  })

  test('after everything is signed: the redeem is sent and followed', async () => {
    let answer: (response: Response) => void = () => {}
    const submit = () => new Promise<Response>((resolve) => (answer = resolve))
    const { result, click, at, unmount } = await button({}, { submit })
    await click(result.current.onClick)
    await until(result, 'submitting')
    act(() => result.current.cancel())
    expect(result.current.step).toBe('submitting')
    unmount()
    answer(Response.json({ hash }))
    await vi.waitFor(() => expect(at.asked.at(-1)).toMatch(/^eth_/))
    expect(at.redeemed.size).toBe(1)
  })
})

describe('a service that fails', () => {
  test('before the click: the button shows the reason, and a click checks again', async () => {
    const { result, click, at } = await button({}, {})
    at.chain.credits = 1n
    at.clock.ms += 61_000
    await click(result.current.onClick)
    await until(result, 'failed')
    expect(result.current.error?.name).toBe('InsufficientFundsError')
    at.chain.credits = 1_000_000_000n
    await click(result.current.onClick)
    await until(result, 'ready')
  })

  test('after the submit: the button resumes the open redeem, without a wallet request', async () => {
    let submits = 0
    const submit = () => (++submits === 1 ? new Response('', { status: 400 }) : Response.json({ hash }))
    const { result, click, at } = await button({}, { submit, isTaken: () => submits > 1 })
    await click(result.current.onClick)
    await until(result, 'open')
    await click(result.current.onClick)
    await until(result, 'done')
    expect([promptsOf(at), at.redeemed.size]).toEqual([1, 1])
  })
})
