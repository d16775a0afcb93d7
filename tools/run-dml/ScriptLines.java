// Compiles a script as SystemDS does, with the same arguments, and prints file, line and text of each instruction: SystemDS's
// own messages name the instruction that failed, but not its line.
import org.apache.sysds.api.DMLOptions;
import org.apache.sysds.api.DMLScript;
import org.apache.sysds.conf.ConfigurationManager;
import org.apache.sysds.parser.DMLProgram;
import org.apache.sysds.parser.DMLTranslator;
import org.apache.sysds.parser.ParserFactory;
import org.apache.sysds.runtime.controlprogram.BasicProgramBlock;
import org.apache.sysds.runtime.controlprogram.Program;
import org.apache.sysds.runtime.controlprogram.ProgramBlock;
import org.apache.sysds.runtime.instructions.Instruction;

public class ScriptLines {
  public static void main(String[] arguments) throws Exception {
    DMLOptions options = DMLOptions.parseCLArguments(arguments);
    DMLScript.loadConfiguration(options.configFile);
    DMLScript.setGlobalExecMode(options.execMode);
    String text = DMLScript.readDMLScript(true, options.filePath);
    DMLProgram program = ParserFactory.createParser().parse(options.filePath, text, options.argVals);
    DMLTranslator translator = new DMLTranslator(program);
    translator.liveVariableAnalysis(program);
    translator.validateParseTree(program);
    translator.constructHops(program);
    translator.rewriteHopsDAG(program);
    translator.constructLops(program);
    translator.rewriteLopDAG(program);
    Program compiled = translator.getRuntimeProgram(program, ConfigurationManager.getDMLConfig());
    for (ProgramBlock function : compiled.getFunctionProgramBlocks().values())
      print(function);
    for (ProgramBlock block : compiled.getProgramBlocks())
      print(block);
    System.exit(0);
  }

  static void print(ProgramBlock block) {
    if (block.getChildBlocks() != null)
      for (ProgramBlock child : block.getChildBlocks())
        print(child);
    if (block instanceof BasicProgramBlock)
      for (Instruction one : ((BasicProgramBlock) block).getInstructions())
        System.out.println("@@LINE\t" + one.getFilename() + "\t" + one.getBeginLine() + "\t" + one);
  }
}
