// @vitest-environment happy-dom
import { dehydrate, focusManager, hydrate, QueryClient } from '@tanstack/react-query'
import { act, cleanup, render, renderHook, waitFor } from '@testing-library/react'
import { StrictMode, Suspense, use, useState } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import { purchase, stranger, type World, world } from '../wagmi/wagmi.fixture.ts'
import { RedeemkitProvider } from './RedeemkitProvider.tsx'
import { providersOf, renderIn } from './react.fixture.tsx'
import { useRedeem } from './useRedeem.ts'

/** A purchase is paid once, regardless of what React, TanStack Query, devices and customers do. */

afterEach(cleanup)

const order = { ...purchase, purchaseId: 'order 1' }
const inUsdc = { ...order, usdcAmount: { cents: 400 } }
const times = ({ asked }: Pick<World, 'asked'>, call: string) => asked.filter((one) => one === call).length
const prompt = 'wallet eth_signTypedData_v4'
const submit = 'redeem/evm/sendGaslessTx'
const permit = 'redeem/evm/creditsAuthMsg'

/** Renders a button that reports its state, and suspends on request. */
function Button({
  onShown,
  late,
}: {
  onShown: (shown: useRedeem.ReturnType, suspend: () => void) => void
  late?: Promise<void>
}) {
  const shown = useRedeem(order)
  const [isLate, setLate] = useState(false)
  onShown(shown, () => setLate(true))
  if (isLate && late) use(late)
  return shown.step
}

type Shown = { current: useRedeem.ReturnType }
const until = (result: Shown, step: useRedeem.ReturnType['step']) =>
  waitFor(() => expect(result.current.step).toBe(step), { timeout: 5_000 })

/** Keeps the wallet's prompts open until the test answers them. */
function holdPrompts(at: World) {
  const open: (() => void)[] = []
  at.wallet.state.answers.eth_signTypedData_v4 = (sign) =>
    new Promise((resolve) => open.push(() => resolve(sign())))
  return {
    answerAll: () =>
      act(async () => {
        for (const answer of open.splice(0)) answer()
      }),
    open,
  }
}

function expectOnePayment(at: World) {
  expect([at.redeemed.size, times(at, submit)]).toEqual([1, 1])
}

describe('React', () => {
  test('StrictMode runs effects twice: one prompt, one payment', async () => {
    const at = world()
    await at.connect()
    const Providers = providersOf(at)
    const { result } = renderHook(() => useRedeem(order), {
      wrapper: ({ children }) => (
        <StrictMode>
          <Providers>{children}</Providers>
        </StrictMode>
      ),
    })
    await until(result, 'ready')
    await act(async () => result.current.onClick())
    await until(result, 'done')
    expectOnePayment(at)
    expect(times(at, prompt)).toBe(1)
  })

  test('a page that suspends while the prompt is open keeps that step, and opens no second prompt', async () => {
    const at = world()
    await at.connect()
    const { answerAll } = holdPrompts(at)
    let arrive = () => {}
    const late = new Promise<void>((resolve) => {
      arrive = resolve
    })
    let shown: useRedeem.ReturnType | undefined
    let suspendIt = () => {}
    const Providers = providersOf(at)
    const { container } = render(
      <Providers>
        <Suspense fallback="suspended">
          <Button
            late={late}
            onShown={(button, suspend) => {
              shown = button
              suspendIt = suspend
            }}
          />
        </Suspense>
      </Providers>,
    )
    await waitFor(() => expect(shown?.step).toBe('ready'))
    await act(async () => shown?.onClick())
    await waitFor(() => expect(shown?.step).toBe('signingPermit'))
    await act(async () => suspendIt())
    expect(container.textContent).toContain('suspended')
    await answerAll()
    await act(async () => arrive())
    await waitFor(() => expect(container.textContent).toBe('done'))
    expectOnePayment(at)
  })

  test('two buttons for one purchase, clicked together: one prompt, one payment, and both show it', async () => {
    const { result, at, click } = await renderIn(() => [useRedeem(order), useRedeem(order)] as const)
    await waitFor(() => expect(result.current.map(({ step }) => step)).toEqual(['ready', 'ready']))
    await click(() => {
      for (const button of result.current) button.onClick()
    })
    await waitFor(() => expect(result.current.map(({ step }) => step)).toEqual(['done', 'done']))
    expectOnePayment(at)
    expect(times(at, prompt)).toBe(1)
  })

  test('two nested kits for one shop: one payment', async () => {
    const at = world()
    await at.connect()
    const other = world({ kit: { storage: at.kit.storage } })
    const shown: useRedeem.ReturnType[] = []
    const tell = (place: number) => (button: useRedeem.ReturnType) => {
      shown[place] = button
    }
    const Providers = providersOf(at)
    render(
      <Providers>
        <Button onShown={tell(0)} />
        <RedeemkitProvider kit={other.kit}>
          <Button onShown={tell(1)} />
        </RedeemkitProvider>
      </Providers>,
    )
    await waitFor(() => expect(shown.map(({ step }) => step)).toEqual(['ready', 'ready']))
    await act(async () => {
      for (const button of shown) button.onClick()
    })
    await waitFor(() => expect(shown.map(({ step }) => step)).toEqual(['done', 'done']), { timeout: 5_000 })
    expect([times(at, prompt), times(at, submit) + times(other, submit)]).toEqual([1, 1])
  })

  test('a component that unmounts during the second prompt: a late signature is not sent, and only that prompt is repeated', async () => {
    const before = await renderIn(() => useRedeem(inUsdc))
    const { at } = before
    await until(before.result, 'ready')
    let prompts = 0
    let answerLate = () => {}
    at.wallet.state.answers.eth_signTypedData_v4 = (sign) =>
      ++prompts === 1
        ? sign()
        : new Promise((resolve) => {
            answerLate = () => resolve(sign())
          })
    await before.click(before.result.current.onClick)
    await until(before.result, 'signingUsdc')
    before.unmount()
    await act(async () => answerLate())
    expect(times(at, submit)).toBe(0)
    at.wallet.state.answers = {}
    at.asked.length = 0
    const { result } = renderHook(() => useRedeem(inUsdc), { wrapper: providersOf(at) })
    await until(result, 'ready')
    expect(result.current.prompts).toEqual(['usdcAuthorization'])
    await act(async () => result.current.onClick())
    await until(result, 'done')
    expectOnePayment(at)
    expect(times(at, prompt)).toBe(1)
  })
})

describe('TanStack Query', () => {
  test('a window that gets the focus while the prompt is open does not request another permit', async () => {
    const { result, at, click } = await renderIn(() => useRedeem(order))
    await until(result, 'ready')
    const { answerAll } = holdPrompts(at)
    await click(result.current.onClick)
    await until(result, 'signingPermit')
    at.asked.length = 0
    await act(async () => {
      focusManager.setFocused(false)
      focusManager.setFocused(true)
    })
    focusManager.setFocused(undefined)
    expect(at.asked).toEqual([])
    await answerAll()
    await until(result, 'done')
    expectOnePayment(at)
  })

  test('a check that expired in the background is repeated at the click', async () => {
    const query = { staleTime: Number.POSITIVE_INFINITY, refetchInterval: false } as const
    const { result, at, click } = await renderIn(() => useRedeem({ ...order, query }))
    await until(result, 'ready')
    at.clock.ms += 61_000
    await click(result.current.onClick)
    await until(result, 'ready')
    expect(times(at, prompt)).toBe(0)
    await click(result.current.onClick)
    await until(result, 'done')
    expectOnePayment(at)
  })

  test('a cache stored as JSON contains no signature, and old results are checked again', async () => {
    const before = await renderIn(() => useRedeem(inUsdc))
    const { at } = before
    const keep = () => JSON.stringify(dehydrate(at.queries, { shouldDehydrateMutation: () => true }))
    const wakeUp = async (kept: string) => {
      const queries = new QueryClient()
      hydrate(queries, JSON.parse(kept))
      return renderHook(() => useRedeem(inUsdc), { wrapper: providersOf(at, queries) })
    }
    await until(before.result, 'ready')
    const ready = keep()
    const signatures: unknown[] = []
    at.wallet.state.answers.eth_signTypedData_v4 = async (sign) => {
      const signature = await sign()
      signatures.push(signature)
      return signature
    }
    await before.click(before.result.current.onClick)
    await until(before.result, 'done')
    const { data } = before.result.current
    before.unmount()

    // This cache was stored before the payment, so the click finds the payment.
    const { result: late } = await wakeUp(ready)
    await until(late, 'done')
    cleanup()

    // Below, the cache is stored after a reload has found the payment.
    const again = renderHook(() => useRedeem(inUsdc), { wrapper: providersOf(at, at.queries) })
    await waitFor(() => expect(again.result.current.data).toEqual(data))
    at.queries.getMutationCache().clear()
    const paid = keep()
    expect(paid).toContain('redeemed')
    expect(signatures).toHaveLength(2)
    for (const signature of signatures) expect(paid + ready).not.toContain(String(signature).slice(2))
    again.unmount()
    const { result } = await wakeUp(paid)
    expect(result.current.step).toBe('done')
    await waitFor(() => expect(result.current.data).toEqual(data))
    expectOnePayment(at)
  })
})

describe('a device and its wallet', () => {
  test.each([
    ['ahead', 3_600_000],
    ['behind', -3_600_000],
  ])('a clock that is an hour %s: no prompt opens, and the message names the clock', async (_, ms) => {
    const at = world()
    await at.connect()
    at.clock.ms += ms
    const { result } = renderHook(() => useRedeem(order), { wrapper: providersOf(at) })
    await until(result, 'failed')
    expect(result.current.userMessage).toMatch(/your device's clock/i)
    await act(async () => result.current.onClick())
    await until(result, 'failed')
    expect(times(at, prompt)).toBe(0)
    at.clock.ms -= ms
    await act(async () => result.current.onClick())
    await until(result, 'ready')
  })

  test('a wallet that switches accounts at the click signs nothing that was prepared for the first account', async () => {
    const { result, at, click } = await renderIn(() => useRedeem(order))
    await until(result, 'ready')
    // Click the last rendered button: React does not know the other account yet.
    const { onClick: drawn } = result.current
    at.wallet.state.accounts = [stranger]
    await click(() => {
      at.wallet.emit('accountsChanged', [stranger])
      drawn()
    })
    await waitFor(() => expect(result.current.step).not.toBe('ready'))
    expect([times(at, prompt), times(at, submit)]).toEqual([0, 0])
  })

  test('if the network fails at the click, the redeem is submitted once when the network is back', async () => {
    const { result, at, click } = await renderIn(() => useRedeem(order))
    await until(result, 'ready')
    at.gone.chain = at.gone.service = true
    await click(result.current.onClick)
    await until(result, 'lookingUp')
    expect([times(at, permit), times(at, submit)]).toEqual([1, 0])
    at.gone.chain = at.gone.service = false
    await until(result, 'done')
    expect(times(at, permit)).toBe(1)
    expectOnePayment(at)
  })
})
