//! Runs an FMU of Bristle with the `fmi` crate and prints an output over time.
//!
//! ```text
//! bristle-importer MODEL.fmu law OUTPUT STEP END INPUT=VALUE ...     model exchange, Runge and Kutta
//! bristle-importer MODEL.fmu scenario OUTPUT STEP END INPUT=VALUE ...     co-simulation
//! ```

use std::error::Error;
use std::process::ExitCode;

use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::{CoSimulation as _, Common as _, ModelExchange as _};
use fmi::fmi3::import::Fmi3Import;
use fmi::fmi3::{CoSimulation as _, Common as _, Fmi3Model as _, GetSet as _, ModelExchange as _};
use fmi::schema::MajorVersion;
use fmi::schema::traits::FmiModelDescription as _;
use fmi::traits::FmiImport;
use fmi::{EventFlags, import};

type Outcome = Result<(), Box<dyn Error>>;

/// What is asked for.
struct Request {
    output: u32,
    inputs: Vec<u32>,
    values: Vec<f64>,
    step: f64,
    end: f64,
}

/// The value reference of a variable in the description.
fn reference(xml: &str, name: &str) -> Result<u32, Box<dyn Error>> {
    // units have names as well
    let xml = xml.split("<ModelVariables>").nth(1).ok_or("no variables")?;
    let at = xml
        .find(&format!("name=\"{name}\""))
        .ok_or_else(|| format!("no variable {name}"))?;
    let begin = xml[..at].rfind('<').unwrap_or(0);
    let end = at + xml[at..].find('>').ok_or("no end of an element")?;
    let mark = "valueReference=\"";
    let element = &xml[begin..end];
    let from = element.find(mark).ok_or("no valueReference")? + mark.len();
    let digits: String = element[from..]
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    Ok(digits.parse()?)
}

fn request(imported: &impl FmiImport, words: &[String]) -> Result<Request, Box<dyn Error>> {
    let xml = std::fs::read_to_string(imported.archive_path().join("modelDescription.xml"))?;
    let mut request = Request {
        output: reference(&xml, &words[0])?,
        inputs: Vec::new(),
        values: Vec::new(),
        step: words[1].parse()?,
        end: words[2].parse()?,
    };
    for word in &words[3..] {
        let (name, value) = word.split_once('=').ok_or("expected INPUT=VALUE")?;
        request.inputs.push(reference(&xml, name)?);
        request.values.push(value.parse()?);
    }
    Ok(request)
}

fn print(t: f64, value: f64) {
    println!("{t:?},{value:?}");
}

/// Classical Runge and Kutta over steps of a length; the states of laws start at 0.
fn integrate(
    request: &Request,
    count: usize,
    mut rates: impl FnMut(f64, &[f64], &mut [f64]) -> Outcome,
    mut output: impl FnMut(f64, &[f64]) -> Result<f64, Box<dyn Error>>,
) -> Outcome {
    let (mut t, mut x) = (0.0, vec![0.0; count]);
    let h = request.step;
    print(t, output(t, &x)?);
    while t < request.end - 0.5 * h {
        let mut k = vec![vec![0.0; count]; 4];
        for stage in 0..4 {
            let ahead = [0.0, 0.5 * h, 0.5 * h, h][stage];
            let at: Vec<f64> = (0..count)
                .map(|i| {
                    if stage == 0 {
                        x[i]
                    } else {
                        x[i] + ahead * k[stage - 1][i]
                    }
                })
                .collect();
            rates(t + ahead, &at, &mut k[stage])?;
        }
        for i in 0..count {
            x[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        }
        t += h;
        print(t, output(t, &x)?);
    }
    Ok(())
}

fn law_of_two(imported: &Fmi2Import, request: &Request) -> Outcome {
    let mut own = imported.instantiate_me("law", false, true)?;
    own.setup_experiment(None, 0.0, None)?;
    own.enter_initialization_mode()?;
    own.set_real(&request.inputs, &request.values)?;
    own.exit_initialization_mode()?;
    own.new_discrete_states(&mut EventFlags::default())?;
    own.enter_continuous_time_mode()?;
    let count = imported.model_description().num_states();
    let own = std::cell::RefCell::new(own);
    let rates = |t: f64, x: &[f64], out: &mut [f64]| -> Outcome {
        let mut own = own.borrow_mut();
        own.set_time(t)?;
        own.set_continuous_states(x)?;
        own.get_derivatives(out)?;
        Ok(())
    };
    let output = |t: f64, x: &[f64]| {
        let mut own = own.borrow_mut();
        let mut value = [0.0];
        own.set_time(t)?;
        own.set_continuous_states(x)?;
        own.get_real(&[request.output], &mut value)?;
        Ok(value[0])
    };
    integrate(request, count, rates, output)
}

fn law_of_three(imported: &Fmi3Import, request: &Request) -> Outcome {
    let mut own = imported.instantiate_me("law", false, true)?;
    own.enter_initialization_mode(None, 0.0, None)?;
    own.set_float64(&request.inputs, &request.values)?;
    own.exit_initialization_mode()?;
    own.update_discrete_states(&mut EventFlags::default())?;
    own.enter_continuous_time_mode()?;
    let count = own.get_number_of_continuous_states()?;
    let own = std::cell::RefCell::new(own);
    let rates = |t: f64, x: &[f64], out: &mut [f64]| -> Outcome {
        let mut own = own.borrow_mut();
        own.set_time(t)?;
        own.set_continuous_states(x)?;
        own.get_continuous_state_derivatives(out)?;
        Ok(())
    };
    let output = |t: f64, x: &[f64]| {
        let mut own = own.borrow_mut();
        let mut value = [0.0];
        own.set_time(t)?;
        own.set_continuous_states(x)?;
        own.get_float64(&[request.output], &mut value)?;
        Ok(value[0])
    };
    integrate(request, count, rates, output)
}

fn scenario_of_two(imported: &Fmi2Import, request: &Request) -> Outcome {
    let mut own = imported.instantiate_cs("scenario", false, true)?;
    own.setup_experiment(None, 0.0, None)?;
    own.enter_initialization_mode()?;
    own.set_real(&request.inputs, &request.values)?;
    own.exit_initialization_mode()?;
    let (mut t, mut value) = (0.0, [0.0]);
    loop {
        own.get_real(&[request.output], &mut value)?;
        print(t, value[0]);
        if t > request.end - 0.5 * request.step {
            return Ok(());
        }
        own.do_step(t, request.step, true)?;
        t += request.step;
    }
}

fn scenario_of_three(imported: &Fmi3Import, request: &Request) -> Outcome {
    let mut own = imported.instantiate_cs("scenario", false, true, false, false, &[])?;
    own.enter_initialization_mode(None, 0.0, None)?;
    own.set_float64(&request.inputs, &request.values)?;
    own.exit_initialization_mode()?;
    let (mut t, mut value) = (0.0, [0.0]);
    loop {
        own.get_float64(&[request.output], &mut value)?;
        print(t, value[0]);
        if t > request.end - 0.5 * request.step {
            return Ok(());
        }
        let (mut event, mut ended, mut early, mut last) = (false, false, false, 0.0);
        own.do_step(
            t,
            request.step,
            true,
            &mut event,
            &mut ended,
            &mut early,
            &mut last,
        )?;
        if early || (last - (t + request.step)).abs() > 1e-9 {
            return Err(format!("returned at t = {last} s").into());
        }
        t += request.step;
    }
}

fn run(words: &[String]) -> Outcome {
    let is_law = words[1] == "law";
    match import::peek_descr_path(&words[0])?.major_version()? {
        MajorVersion::FMI2 => {
            let imported: Fmi2Import = import::from_path(&words[0])?;
            let request = request(&imported, &words[2..])?;
            if is_law {
                law_of_two(&imported, &request)
            } else {
                scenario_of_two(&imported, &request)
            }
        }
        MajorVersion::FMI3 => {
            let imported: Fmi3Import = import::from_path(&words[0])?;
            let request = request(&imported, &words[2..])?;
            if is_law {
                law_of_three(&imported, &request)
            } else {
                scenario_of_three(&imported, &request)
            }
        }
        version => Err(format!("FMI {version:?}").into()),
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.len() < 5 {
        eprintln!("usage: bristle-importer MODEL.fmu law|scenario OUTPUT STEP END INPUT=VALUE ...");
        return ExitCode::FAILURE;
    }
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
