import { configure } from '@testing-library/react'

// What is loaded on demand takes longer than a second on a busy machine.
configure({ asyncUtilTimeout: 20_000 })
