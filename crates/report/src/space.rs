//! Vectors of space, and where a body is in it.

/// A point or vector of space.
pub(crate) type SpaceVector = [f64; 3];

pub(crate) fn add(a: SpaceVector, b: SpaceVector) -> SpaceVector {
    std::array::from_fn(|k| a[k] + b[k])
}

pub(crate) fn scaled(a: SpaceVector, factor: f64) -> SpaceVector {
    a.map(|x| factor * x)
}

pub(crate) fn cross(a: SpaceVector, b: SpaceVector) -> SpaceVector {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        a[i] * b[j] - a[j] * b[i]
    })
}

/// The length of a vector.
pub(crate) fn across(a: SpaceVector) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}

pub(crate) fn unit(a: SpaceVector) -> SpaceVector {
    let length = across(a);
    if length > 0.0 {
        scaled(a, 1.0 / length)
    } else {
        [0.0, 0.0, 1.0]
    }
}

pub(crate) fn dot(a: SpaceVector, b: SpaceVector) -> f64 {
    a.iter().zip(&b).map(|(x, y)| x * y).sum()
}

/// Where a body is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyPose {
    pub(crate) position: SpaceVector,
    /// Unit quaternion w, x, y, z.
    pub(crate) orientation: [f64; 4],
}

impl BodyPose {
    /// A vector in the axes of the world.
    pub(crate) fn turned(&self, vector: SpaceVector) -> SpaceVector {
        let [w, x, y, z] = self.orientation;
        let axis = [x, y, z];
        // v + 2 w (q × v) + 2 q × (q × v)
        let once = cross(axis, vector);
        let twice = cross(axis, once);
        add(vector, add(scaled(once, 2.0 * w), scaled(twice, 2.0)))
    }

    /// A point of the body in the world.
    pub(crate) fn place(&self, point: SpaceVector) -> SpaceVector {
        add(self.position, self.turned(point))
    }
}
