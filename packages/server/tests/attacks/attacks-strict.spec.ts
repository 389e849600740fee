import { describe } from 'vitest';
import { attacksIn } from '../support/attack-suite.ts';

describe('in strict mode, an attack', () => attacksIn('strict'));
