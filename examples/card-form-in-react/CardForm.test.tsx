// @vitest-environment happy-dom
// @vitest-environment-options {"url":"http://localhost:4000"}
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { CardForm } from './CardForm.tsx'

afterEach(cleanup)

test("shows the service's form for the order", () => {
  // Replaces the iframe with another element, because happy-dom would load the iframe.
  const create = document.createElement.bind(document)
  vi.spyOn(document, 'createElement').mockImplementation((name: string) =>
    create(name === 'iframe' ? 'x-frame' : name),
  )
  const order = { id: 'order 1', checkoutJwtToken: `a.${btoa('{"checkout":{"purchaseId":"order 1"}}')}.c` }
  render(<CardForm order={order} onPaid={() => {}} onUnclear={() => {}} />)
  const frame = document.querySelector('x-frame')
  expect(Object(frame).src ?? frame?.getAttribute('src')).toMatch(/^http:\/\/127\.0\.0\.1:4242\//)
})
