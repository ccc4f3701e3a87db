// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { redeemStates } from 'redeemkit/mock'
import { afterEach, expect, test, vi } from 'vitest'
import { PaymentPanel } from './PaymentPanel.tsx'

afterEach(cleanup)

test('offline, a click does nothing, because a signature could not be sent', () => {
  const onClick = vi.fn()
  const ready = redeemStates.find(({ shown }) => shown.step === 'ready')
  if (ready === undefined) throw new Error('There is no state that is ready.')
  const none = () => {}
  const panel = (isOnline: boolean) => (
    <PaymentPanel
      purchase={{ title: 'Bill 2041', cents: 450, usdcCents: 0 }}
      button={ready.shown}
      has={undefined}
      isOnline={isOnline}
      onUsdcCents={none}
      onClick={onClick}
      onConnect={none}
      onCancel={none}
      creditsHref="#/credits"
    />
  )
  const { rerender } = render(panel(false))
  fireEvent.click(screen.getByRole('button', { name: 'Waiting for your connection' }))
  expect(onClick).not.toHaveBeenCalled()
  rerender(panel(true))
  fireEvent.click(screen.getByRole('button', { name: 'Pay $10.00' }))
  expect(onClick).toHaveBeenCalledOnce()
})
