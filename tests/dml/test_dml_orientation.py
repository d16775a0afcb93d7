# SPDX-License-Identifier: Apache-2.0
"""dml-to-onnx: each builtin and operator of a row, a column, one element, a matrix, and of nothing. Where SystemDS has a result the
model has the same, with sizes that are known and with such that are not, or it is refused; where SystemDS has none, anything goes.
Each kind takes a third of them, with --long all."""


import numpy as np
import pytest

import onnxfold_systemds as systemds
import onnxfold_testing as t
from test_dml_to_onnx import TOOL, NotConverted, OnlySingle, convert, runModel

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason=f"{TOOL} is not built")

SHAPES = {"row": (1, 4), "column": (4, 1), "one": (1, 1), "matrix": (3, 2), "square": (3, 3)}
EMPTY = {"no rows": (0, 3), "no columns": (3, 0), "nothing": (0, 0)}
NUMBERS = [1, 3, 2, 4, 2.5, 1, 2, 3, 1]

# Those of scalars come first.
SCALARS = """as.scalar(x) avg(x) moment(x,2) moment(x,x,3) centralMoment(x,2) contains(target=x,pattern=3) countDistinct(x)
 countDistinctApprox(x) cov(x,x*x) cov(x,x*x,x) det(x) length(x) max(x) mean(x) median(x) median(x,x) min(x) ncol(x) nrow(x) prod(x)
 quantile(x,0.3) quantile(x,0.5) sd(x) sum(x) tr(x) trace(x) var(x) nrow(t(x)) sum(t(x)) sum(x[1,]) max(x,2)%*%x mean(x,x)
 castAsScalar(x) einsum('ij,ij->',x,x) nrow(unique(x)) interQuartileMean(x) median(x,round(x))
 quantile(x,round(x),0.4) mean(x*0) as.double(as.scalar(x)) as.integer(as.scalar(x))""".split()
MATRICES = """abs(x) acos(x/9) append(x,x) asin(x/9) atan(x) bitwAnd(round(x),3) bitwOr(round(x),3) bitwShiftL(round(x),2)
 bitwShiftR(round(x),1) bitwXor(round(x),5) cbind(x,x) cbind(x,7) ceil(x) ceiling(x) colCountDistinct(x) colCountDistinctApprox(x)
 colMaxs(x) colMeans(x) colMins(x) colProds(x) colSds(x) colSums(x) colVars(x) compress(x) cos(x) cosh(x) table(round(x),round(x))
 table(round(x),round(x),x) table(round(x),round(x),5,5) table(round(x),round(x),x,5,5) table(round(x),2) table(round(x),2,4,3)
 table(round(x),round(x),2.5) table(t(round(x)),t(round(x))) table(round(x),t(round(x))) table(seq(1,nrow(x)),round(x))
 table(round(x),seq(1,nrow(x))) table(seq(1,nrow(x)),round(x[,1]),nrow(x),4) table(round(x[1,]),round(x[1,]))
 table(t(seq(1,ncol(x))),round(x)) table(round(x),t(seq(1,ncol(x))),5,5) cumsum(x) decompress(compress(x)) diag(x) diag(x[,1])
 einsum('ij,ij->ij',x,x) einsum('ij->ji',x) einsum('ij->i',x) einsum('ij->j',x) exp(x) floor(x) ifelse(x>2,x,0) ifelse(x>2,1,x)
 ifelse(1==1,x,0) ifelse(sum(x)>3,x,t(x)) is.infinite(x) is.na(x) is.nan(x) isInf(x) isNA(x) isNaN(x) log(x) log(x,2)
 lower.tri(target=x) lower.tri(target=x,diag=TRUE,values=TRUE) matrix(x,rows=ncol(x),cols=nrow(x)) matrix(x,rows=1,cols=length(x))
 matrix(x,rows=length(x),cols=1) matrix(x,rows=ncol(x),cols=nrow(x),byrow=FALSE) max(x,2) min(x,x[1,]) max(x,x[,1])
 order(target=x) order(target=x,by=1,index.return=TRUE) order(target=x,by=1,decreasing=TRUE) outer(x,t(x),"+") outer(x,x,"<")
 outer(x[,1],x[1,],"-") outer(x[,1],x[1,],"max") outer(x,t(x),"min") pmax(x,2) pmin(x,2) ppred(x,2,">=") rbind(x,x) removeEmpty(target=x,margin="rows")
 removeEmpty(target=x,margin="cols") removeEmpty(target=x,margin="rows",select=x>2) removeEmpty(target=x,margin="cols",select=x>2)
 removeEmpty(target=x,margin="rows",select=x[,1]>2) removeEmpty(target=x,margin="cols",select=x[1,]>2)
 removeEmpty(target=x,margin="cols",select=t(x[1,]>2)) removeEmpty(target=x,margin="rows",select=t(x[,1]>2))
 removeEmpty(target=x*0,margin="rows") removeEmpty(target=x*0,margin="cols") removeEmpty(target=x*0,margin="rows",empty.return=FALSE)
 replace(target=x,pattern=3,replacement=7) rev(x) round(x) rowCountDistinct(x) rowCountDistinctApprox(x) rowcumsum(x) rowIndexMax(x)
 rowIndexMin(x) rowMaxs(x) rowMeans(x) rowMins(x) rowProds(x) rowSds(x) rowSums(x) rowVars(x) seq(1,nrow(x)) seq(1,ncol(x))
 seq(nrow(x),ncol(x)) sign(x) sin(x) sinh(x) sqrt(x) t(x) tan(x) tanh(x) upper.tri(target=x)
 upper.tri(target=x,diag=TRUE,values=TRUE) xor(x>1,x>2) aggregate(target=x,groups=round(x),fn="sum")
 aggregate(target=x,groups=round(x),fn="count") aggregate(target=x,groups=round(x),fn="mean",ngroups=5)
 groupedAggregate(target=x,groups=round(x),fn="sum",ngroups=4) cumprod(x) cummax(x) cummin(x) cumsumprod(x) roll(x,1) inv(x)
 inverse(x) solve(x,x[,1]) cholesky(x%*%t(x)) quantile(x,x[,1]/9) x[1,] x[,1] x[1,1] x%*%t(x) t(x)%*%x x%*%x -x !x x+x x+x[1,]
 x+x[,1] x+1 1-x x>2 2>x x&x x|x x%/%2 x%%2 x^2 2^x x/x[1,] x*x[,1] x[1,]+x x[,1]*x rowSums(x)+colSums(x) rowSums(x)*x
 matrix(0,nrow(x),ncol(x)) rand(rows=nrow(x),cols=ncol(x),min=1,max=1) cumsum(t(x)) rev(t(x)) x-rowMeans(x) x-colMeans(x)
 unique(x) rowSums(t(x)) log(3,x+1) log(x,x+1) removeEmpty(target=x*0,margin="cols",empty.return=FALSE) as.matrix(1)*x""".split()


def scriptOf(expression, read):
    made = f"as.matrix({expression})" if expression in SCALARS else expression
    if expression.startswith("contains"):
        made = f"as.matrix(as.integer({expression}))"
    return f'{read}\ny = {made}\ny_file = ifdef($y, "y")\nwrite(y, y_file, format="csv")\n' 


def literal(shape):
    numbers = " ".join(map(str, NUMBERS[: shape[0] * shape[1]]))
    data = f'"{numbers}"' if numbers else "0"
    return f"x = matrix({data}, rows={shape[0]}, cols={shape[1]})"


def wantedOf(folder, expression, shape, read):
    """What SystemDS computes; None if it cannot."""
    script = folder / "wanted.dml"
    script.write_text(scriptOf(expression, read))
    if 0 not in shape:
        systemds.writeMatrix(folder / "x.csv", np.reshape(NUMBERS[: shape[0] * shape[1]], shape))
    try:
        systemds.process().run(script, x=folder / "x.csv", y=folder / "y")
    except RuntimeError:
        return None
    return systemds.readMatrix(folder / "y")


MODELS = {}  # of any size


def modelOf(script, options):
    """One model for all shapes, if sizes are open."""
    if "--input-shape" in "".join(options) or "read($x)" not in script.read_text():
        return convert(script, *options)
    key = (script.read_text(), *options)
    if key not in MODELS:
        MODELS[key] = convert(script, *options)
    return MODELS[key]


def resultOf(script, feed, *options):
    """Of the model, or why there is none."""
    try:
        try:
            return runModel(modelOf(script, options), feed)[0]
        except OnlySingle:
            return runModel(modelOf(script, [*options, "--type=float32"]), {name: np.float32(x) for name, x in feed.items()})[0]
    except NotConverted as refusal:
        return str(refusal).splitlines()[-1].strip()
    except Exception as error:  # of ONNX Runtime
        return error


def isOnlyRefused(expression, shape):
    """What SystemDS 3.4.0 computes wrongly, and is refused where sizes are known: einsum of a row, which it takes for a column, a
    selection that is no vector, and table() of matrices of two sizes."""
    return (expression.startswith("einsum") and shape[0] == 1) or expression.endswith("select=x>2)") or (
        expression.startswith("table(t(seq") and shape[0] > 1)


def problem(got, wanted):
    if isinstance(got, Exception):
        return f"{type(got).__name__}: {str(got)[:300]}"
    if isinstance(got, str) or wanted is None:
        return None
    if np.shape(got) != wanted.shape:
        return f"is {np.shape(got)}, expected {wanted.shape}"
    return None if np.allclose(got, wanted, rtol=1e-6, atol=1e-9, equal_nan=True) else f"is {got.tolist()}, expected {wanted.tolist()}"


@pytest.mark.parametrize("kind", [*SHAPES, *EMPTY])
def test_shapes(folder, kind):
    if not systemds.process():
        pytest.skip("SystemDS is not installed")
    shape = {**SHAPES, **EMPTY}[kind]
    reads = "x = read($x)"
    variants = {"known": [f"--input-shape=x:{shape[0]},{shape[1]}"], "open": []}
    if kind in EMPTY:
        reads, variants = literal(shape), {"known": []}
    wrong, refused, compared = [], [], 0
    thirds = slice(None) if t.options.long else slice([*SHAPES, *EMPTY].index(kind) % 3, None, 3)
    for expression in (SCALARS + MATRICES)[thirds]:
        wanted = wantedOf(folder, expression, shape, reads)
        if wanted is None:
            continue
        compared += 1
        script = folder / "a.dml"
        script.write_text(scriptOf(expression, reads))
        x = np.reshape(NUMBERS[: shape[0] * shape[1]], shape)
        for name, options in variants.items():
            if name == "open" and isOnlyRefused(expression, shape):
                continue
            got = resultOf(script, {"x": np.float64(x)}, *options)
            if isinstance(got, str) and got.startswith("dml-to-onnx: error:"):
                wrong.append(f"{expression} is not read: {got}")  # empty.return was not, and counted as refused
            elif isinstance(got, str):
                refused.append(f"{expression}, {name}: {got}")
            elif why := problem(got, wanted):
                wrong.append(f"{expression}, sizes {name}: {why}")
    print("\n".join(refused))
    assert compared > (30 if t.options.long else 10)
    assert not wrong, "\n" + "\n".join(wrong)
