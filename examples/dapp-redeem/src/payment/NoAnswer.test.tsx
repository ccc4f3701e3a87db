// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { NoAnswer } from './NoAnswer.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('a wallet that does not answer: the page says where to look, and lets a visitor start again', () => {
  vi.useFakeTimers()
  const onStartAgain = vi.fn()
  const { container } = render(<NoAnswer onStartAgain={onStartAgain} />)
  act(() => vi.advanceTimersByTime(19_999))
  expect(container.textContent).toBe('')
  act(() => vi.advanceTimersByTime(1))
  expect(container.textContent).toContain('Open it to go on')
  fireEvent.click(screen.getByRole('button', { name: 'Start again' }))
  expect(onStartAgain).toHaveBeenCalledOnce()
})
