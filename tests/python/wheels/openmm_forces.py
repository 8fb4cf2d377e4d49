# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The forces and the energy that OpenMM's CUDA platform computes of a box of water, against those of its Reference platform.

One line for each way to treat what lies far away: PASS where the forces differ by less than 1e-4 of their root mean square."""
import sys
import time

import numpy as np
import openmm
from openmm import app, unit

MOST_APART = 1e-4
ACROSS = 6  # molecules along an edge of the box
SPACING = 0.31  # nm: what water at room temperature has
METHODS = {"NoCutoff": app.NoCutoff, "CutoffNonPeriodic": app.CutoffNonPeriodic, "CutoffPeriodic": app.CutoffPeriodic, "PME": app.PME}


def water():
    """Molecules on a grid, each turned another way and moved a little."""
    random = np.random.default_rng(7)
    angle = np.radians(104.52)
    shape = 0.09572 * np.array([[0, 0, 0], [1, 0, 0], [np.cos(angle), np.sin(angle), 0]])
    element, topology = app.element, app.Topology()
    chain, positions = topology.addChain(), []
    for place in np.ndindex(ACROSS, ACROSS, ACROSS):
        residue = topology.addResidue("HOH", chain)
        atoms = [topology.addAtom(name, kind, residue) for name, kind in
                 (("O", element.oxygen), ("H1", element.hydrogen), ("H2", element.hydrogen))]
        topology.addBond(atoms[0], atoms[1])
        topology.addBond(atoms[0], atoms[2])
        turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
        positions.extend(SPACING * np.array(place) + random.normal(scale=0.01, size=3) + shape @ turn)
    edge = SPACING * ACROSS
    topology.setUnitCellDimensions([edge, edge, edge])
    return topology, positions


def state(system, positions, platform, properties=None):
    context = openmm.Context(system, openmm.VerletIntegrator(0.001), openmm.Platform.getPlatformByName(platform), properties or {})
    context.setPositions(positions)
    now = context.getState(getForces=True, getEnergy=True)
    return (now.getForces(asNumpy=True).value_in_unit(unit.kilojoule_per_mole / unit.nanometer),
            now.getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole))


def main():
    openmm.Platform.loadPluginsFromDirectory(openmm.Platform.getDefaultPluginsDirectory())
    topology, positions = water()
    failed = 0
    for name in sys.argv[1:] or METHODS:
        system = app.ForceField("tip3p.xml").createSystem(topology, nonbondedMethod=METHODS[name], nonbondedCutoff=0.8,
                                                              ewaldErrorTolerance=1e-5)
        begin = time.monotonic()
        try:
            forces, energy = state(system, positions, "CUDA", {"Precision": "mixed"})
            right, right_energy = state(system, positions, "Reference")
            apart = np.sqrt(((forces - right) ** 2).sum() / (right ** 2).sum())
            passed = apart < MOST_APART and abs(energy - right_energy) < MOST_APART * abs(right_energy)
            said = f"forces differ by {apart:.1e}, energy {energy:.3f} and {right_energy:.3f}"
        except openmm.OpenMMException as error:
            passed, said = False, str(error).splitlines()[0]
        failed += not passed
        print(f"{'PASS' if passed else 'FAIL'} OpenMM {name}: {said} ({time.monotonic() - begin:.1f} s)", flush=True)
    return failed > 0


sys.exit(main())
