/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import { wordsOf } from './wordsOf.ts'

/** A part of a page. Where it cannot be drawn it says why, and the other parts are there all the same. */
export async function orWhy(draw: () => Promise<Child>): Promise<Child> {
  try {
    return await draw()
  } catch (error) {
    return <p class="empty">{wordsOf(error)}</p>
  }
}
