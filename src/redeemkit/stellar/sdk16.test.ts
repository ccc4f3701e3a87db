import { vi } from 'vitest'

// The peer dependency range includes SDK 16. Run the same tests with SDK 16 instead of 15.
vi.mock('@stellar/stellar-sdk', () => import('stellar-sdk-16'))

await import('./everySdk.fixture.ts')
