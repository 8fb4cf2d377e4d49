# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Text tests in a folder whose path has a blank. Their commands have paths as words, so they get to their files and to the build by links
# whose paths have none. (lit itself follows links when it looks for tests.)
import lit.formats


class ByLinks(lit.formats.ShTest):
    def __init__(self, sources, results):
        super().__init__(True)
        self.sources, self.results = sources, results

    def execute(self, test, lit_config):
        test.suite.source_root, test.suite.exec_root = self.sources, self.results
        return super().execute(test, lit_config)
