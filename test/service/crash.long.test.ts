import { crashTests } from './crashCases.ts'

crashTests()
