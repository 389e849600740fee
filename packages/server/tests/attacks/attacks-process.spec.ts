import { describe } from 'vitest';
import { attacksIn } from '../support/attack-suite.ts';

describe('in process mode, an attack', () => attacksIn('process'));
